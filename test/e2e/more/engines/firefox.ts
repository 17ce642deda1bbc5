import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands, type Driver } from './webdriver.ts';

/** Nothing asks, nothing calls out, and the same language as in the other browsers. */
const preferences = {
  'app.normandy.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'intl.accept_languages': 'en-GB, en',
  'marionette.port': 0,
  'toolkit.telemetry.enabled': false,
  'ui.prefersReducedMotion': 1,
};

/** Starts Firefox with a profile of its own, and speaks with it by Marionette, which is how Firefox takes WebDriver. */
export async function launchFirefox(program: string): Promise<Driver> {
  const profile = mkdtempSync(join(tmpdir(), 'subscriber-desk-firefox-'));
  const lines = Object.entries(preferences).map(([name, value]) =>
    [name, value].map((each) => JSON.stringify(each)),
  );
  writeFileSync(join(profile, 'user.js'), lines.map((each) => `user_pref(${each.join(', ')});\n`).join(''));
  const options = ['--headless', '--marionette', '--no-remote', '--profile', profile];
  const child = spawn(program, options, {
    env: { ...process.env, TZ: 'Europe/Oslo', MOZ_CRASHREPORTER_DISABLE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (text) => {
      said += String(text);
      const found = /Marionette\s+INFO\s+Listening on port (\d+)/.exec(said);
      if (found) resolve(Number(found[1]));
    });
    void ended.then(() => reject(new Error(`Firefox did not start:\n${said}`)));
  });
  const { call, end } = openMarionette(port);
  // A look for faults of accessibility takes longer than the usual 30 s on a machine that is busy.
  await call('WebDriver:NewSession', { timeouts: { script: 120_000 } });
  return {
    send: async (command, parameters) => {
      const result = await call(commands[command][1], { sandbox: null, ...parameters });
      return typeof result === 'object' && result !== null && 'value' in result ? result.value : result;
    },
    async close() {
      end();
      child.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** One message is `length:json`, https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html. */
function openMarionette(port: number) {
  const socket = connect(port, '127.0.0.1');
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let received = Buffer.alloc(0);
  let nextId = 1;
  socket.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part]);
    for (;;) {
      const start = received.indexOf(':') + 1;
      const end = start + Number(received.subarray(0, start - 1).toString());
      if (start === 0 || received.length < end) return;
      const message: unknown = JSON.parse(received.subarray(start, end).toString());
      received = received.subarray(end);
      // The first message greets and answers nothing.
      if (Array.isArray(message)) answer(message[1], message[2], message[3]);
    }
  });
  socket.on('close', () => {
    for (const [id] of waiting) answer(id, { error: 'disconnected', message: 'Firefox has ended.' }, null);
  });

  function answer(id: number, error: { error: string; message: string } | null, result: unknown): void {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) call?.reject(new Error(`${error.error}: ${error.message}`));
    else call?.resolve(result);
  }

  return {
    call: (name: string, parameters: Readonly<Record<string, unknown>>): Promise<unknown> => {
      const call = Promise.withResolvers<unknown>();
      const id = nextId++;
      waiting.set(id, call);
      const text = JSON.stringify([0, id, name, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
      return call.promise;
    },
    end: () => socket.destroy(),
  };
}
