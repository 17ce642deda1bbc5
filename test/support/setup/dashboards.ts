import { fileURLToPath } from 'node:url';
import { buildDashboard } from '../../../src/server/build/build.ts';

/** Builds what tests open before any of them starts: two that build at the same time would mix their files. */
export default async function buildDashboards(): Promise<void> {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);
  for (const mode of ['app', 'demo'] as const) await buildDashboard({ root, mode, say });
}
