import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemo } from '../../../src/demo/start-demo.ts';
import { serveService } from '../../../src/server/service/serve.ts';
import { startServer } from '../../../src/server/start-server.ts';
import { startInProcess } from '../server/in-process.ts';

/** The product in a browser test: a server with its data, or the files of the demo. */
export interface Product {
  url: string;
  /** All that it wrote so far. */
  output: () => string;
  /** The password of `manager`, where there is one. */
  password: string;
  /** Stops it, and removes its data. */
  stop: () => Promise<void>;
}

const commands = { start: startServer, demo: startDemo, service: serveService };
const running = new Set<Product>();

/**
 * Starts what `npm start`, `npm run demo` or `npm run service` runs, in this process, on a free port and with a folder of its own. That
 * takes a tenth of what a process of its own would. It ends with the test file, if not before.
 *
 * @param variables of the environment, beside a password for `manager`
 */
export async function startProduct(
  command: keyof typeof commands = 'start',
  variables: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
  const password = 'chosen by the operator';
  const env = { DATA_DIR: folder, MANAGER_PASSWORD: password, ...variables };
  const program = command === 'service' ? 'service' : 'server';
  const { url, stop, output, complaints } = await startInProcess(commands[command], program, env);
  const product: Product = {
    url,
    output: () => output() + complaints(),
    password,
    stop: async () => {
      if (!running.delete(product)) return;
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  running.add(product);
  return product;
}

/** Stops what the test file has started and not stopped. */
export async function stopProducts(): Promise<void> {
  await Promise.all([...running].map((product) => product.stop()));
}
