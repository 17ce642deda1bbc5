import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { switches } from '../../support/e2e/browser.ts';
import { provideChromium } from '../../support/e2e/provide.ts';

type Parameters = Readonly<Record<string, unknown>>;
interface Message {
  id?: number;
  result?: Parameters;
  error?: { message: string };
}

export interface PlainChromium {
  /** Sends a command of the DevTools protocol. @returns its result @throws with the browser's sentence */
  send: (method: string, parameters?: Parameters, sessionId?: string) => Promise<Parameters>;
  close: () => Promise<void>;
}

/**
 * Chromium as people have it. Playwright has the browser report every error that code makes, even one that is never
 * thrown, with its source location. React makes some as it starts, and to locate them the browser reads the whole bundle once
 * more: 27 of 50 ms, which a browser without tools attached does not spend.
 */
export async function launchPlainChromium(): Promise<PlainChromium> {
  const profile = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
  const options = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const browser = spawn(provideChromium(process.env), [...switches, ...options, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { send, socket } = await connect(await addressOf(browser));
  return {
    send,
    close: async () => {
      socket.close();
      const ended = once(browser, 'exit');
      browser.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Where it listens, as it says when it does. */
function addressOf(browser: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    browser.stderr?.on('data', (text) => {
      said += String(text);
      const address = /ws:\/\/\S+/.exec(said)?.[0];
      if (address !== undefined) resolve(address);
    });
    browser.once('exit', () => reject(new Error(`Chromium ended before it listened:\n${said}`)));
  });
}

async function connect(address: string) {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (message: Message) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  await once(socket, 'open');
  let last = 0;
  const send = (method: string, params: Parameters = {}, sessionId?: string) =>
    new Promise<Parameters>((resolve, reject) => {
      last += 1;
      const id = last;
      waiting.set(id, ({ result = {}, error }) => {
        waiting.delete(id);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result);
      });
      socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
  return { send, socket };
}
