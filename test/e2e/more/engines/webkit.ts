import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { vi } from 'vitest';
import { unusedPort } from '../../../support/server/free-port.ts';
import { commands, type Driver } from './webdriver.ts';

/** The programs that it takes: WebKitGTK's WebDriver, which brings a small browser, and a display without a screen. */
export interface WebkitPrograms {
  driver: string;
  display: string;
}

/** Starts WebKitGTK, which has Safari's engine, on a display of its own, and speaks WebDriver with it. */
export async function launchWebkit({ driver, display }: WebkitPrograms): Promise<Driver> {
  // It takes a number that is free, and writes which.
  const screen = spawn(display, ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = await once(screen.stdout, 'data');
  const port = await unusedPort();
  const child = spawn(driver, ['--host=127.0.0.1', `--port=${port}`], {
    env: {
      ...process.env,
      DISPLAY: `:${String(number).trim()}`,
      GDK_BACKEND: 'x11',
      // Nothing draws on a graphics card here.
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
      LANG: 'en_GB.UTF-8',
      TZ: 'Europe/Oslo',
    },
    stdio: 'ignore',
    // A group of its own, so that the browser that it starts ends with it.
    detached: true,
  });
  const close = async () => {
    const ended = [once(child, 'close'), once(screen, 'close')];
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    screen.kill();
    await Promise.all(ended);
  };
  const address = `http://127.0.0.1:${port}`;
  try {
    await vi.waitFor(() => fetch(`${address}/status`), { timeout: 60_000 });
    const session = await ask(`${address}/session`, {
      // A look for faults of accessibility takes longer than the usual 30 s on a machine that is busy.
      capabilities: { alwaysMatch: { timeouts: { script: 120_000 } } },
    });
    const { sessionId } = session as { sessionId: string };
    const send: Driver['send'] = (command, parameters) => {
      const path = commands[command][0].replace('{id}', String(parameters?.['id']));
      return ask(`${address}/session/${sessionId}/${path}`, parameters);
    };
    return {
      send,
      async close() {
        // A page that hangs answers nothing, and its browser has to end all the same.
        const options = { method: 'DELETE', signal: AbortSignal.timeout(5000) };
        await fetch(`${address}/session/${sessionId}`, options).catch(() => undefined);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws {Error} with what WebDriver says is wrong */
async function ask(url: string, parameters?: object): Promise<unknown> {
  const answer = await fetch(url, parameters && { method: 'POST', body: JSON.stringify(parameters) });
  const { value } = (await answer.json()) as { value: unknown };
  if (answer.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`${error}: ${message}`);
}
