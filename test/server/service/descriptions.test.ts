import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openService } from '../../support/server/in-process.ts';
import { root } from '../../support/server/start-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

test('others’ tools find no fault in what the service says of itself', async () => {
  const { url } = await openService({});
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text());
  // The seed's addresses look ambiguous, but `by-token` is no id: ids are numbers.
  const rules = ['--extends=recommended', '--skip-rule=no-ambiguous-paths', '--format=stylish'];
  const linted = await redocly(folder, ['lint', 'openapi.json', ...rules]);
  expect(linted).toMatchObject({ code: 0, stdout: '' });
  expect(linted.stderr).toContain('Your API description is valid.');
});

/** Redocly's command line, which sends and asks nothing of its own. */
function redocly(cwd: string, words: readonly string[]) {
  const program = join(root, 'node_modules/@redocly/cli/bin/cli.js');
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [program, ...words], { cwd, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    );
  });
}
