import { Session, type Profiler } from 'node:inspector/promises';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { createBffInTab } from '../../../src/demo/bff-in-tab.ts';
import { openNodeSqlite } from '../../../src/server/sql/node-sqlite.ts';

/** A request that changes something, and every file of `src` on its way from the BFF to SQL and back. */
export interface CallPath {
  status: number;
  /** From `src`, sorted: the files of which a named function ran, with those functions. */
  files: string[];
}

/** Regenerates a token over the real BFF and service, and records by V8's coverage which files it passes. */
export async function readCallPath(): Promise<CallPath> {
  let made = 0;
  const bff = await createBffInTab({
    serviceDb: openNodeSqlite(':memory:'),
    bffDb: openNodeSqlite(':memory:'),
    samples: 5,
    transport: { kind: 'tab', staff: { name: 'Kari', role: 'manager' } },
    clock: () => Date.UTC(2026, 0, 1),
    random: (bytes) => new Uint8Array(bytes).fill((made += 1)),
    log: () => undefined,
  });
  const send = (method: string, path: string) =>
    bff.fetch(
      new Request(`http://localhost/api/subscribers/1${path}`, {
        method,
        headers: { 'X-CSRF': '1', [changeHeaders.key]: `key-${(made += 1)}-of-this-change` },
      }),
    );
  // So that what only the first request does, such as getting a token of the service, does not count.
  await send('GET', '');
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const readOnce = async () => {
    // Taking it sets all counts to zero.
    await session.post('Profiler.takePreciseCoverage');
    const { status } = await send('POST', '/regenerate-token');
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return { status, files: new Map(result.flatMap(ranIn)) };
  };
  const { status, files } = await readOnce();
  // Other tests of this process may still be at work: what a request passes, the next ones pass, too.
  const others = [await readOnce(), await readOnce()];
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  const passed = [...files].filter(([path]) => others.every((other) => other.files.has(path)));
  return { status, files: passed.map(([path, ran]) => `${path}: ${ran.join(' ')}`).toSorted() };
}

/** The path of a file of ours, with the functions of it that ran. */
function ranIn({ url, functions }: Profiler.ScriptCoverage): [string, string[]][] {
  const [, path] = /\/src\/([^?]*)/.exec(url.includes('node_modules') ? '' : url) ?? [];
  const ran = functions
    .filter(({ functionName: name, ranges }) => isOurs(name) && (ranges[0]?.count ?? 0) > 0)
    .map(({ functionName }) => functionName);
  return path === undefined || ran.length === 0 ? [] : [[path, ran]];
}

/** Named, and not put in by the test runner. */
const isOurs = (name: string) => name !== '' && !name.startsWith('__vi');
