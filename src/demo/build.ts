import { fileURLToPath } from 'node:url';
import { relative } from 'node:path';
import { buildDashboard } from '../server/build/build.ts';
import { sentenceFor } from '../server/cannot-start.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

/** `npm run build:demo`: makes a folder that any static host can serve, from any path. */
try {
  const folder = await buildDashboard({ root, mode: 'demo', say });
  say(`The demo is in ${relative(root, folder)}/. Put its files on any static host, in any folder there.`);
} catch (error) {
  process.stderr.write(`${sentenceFor(error)}\n`);
  process.exitCode = 1;
}
