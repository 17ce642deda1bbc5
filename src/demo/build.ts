import { relative } from 'node:path';
import { buildDashboard } from '../server/build/build.ts';
import { sentenceFor } from '../server/cannot-start.ts';
import { root } from '../server/installation.ts';

const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);

/** `npm run build:demo`: makes a folder that any static host can serve, under any path. */
try {
  const folder = await buildDashboard({ root, mode: 'demo', say });
  say(`The demo is in ${relative(root, folder)}/. Copy its files to any folder of any static host.`);
} catch (error) {
  process.stderr.write(`${sentenceFor(error)}\n`);
  process.exitCode = 1;
}
