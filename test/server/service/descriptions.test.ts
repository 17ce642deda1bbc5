import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { openService } from '../../support/server/in-process.ts';
import { root } from '../../support/server/start-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

test('others’ tools find no fault in what the service says of itself, and its workflow does all operations as described', async () => {
  const secret = 'a-secret-of-more-than-32-characters';
  const clients = { SERVICE_CLIENTS: `crm:${secret}:subscribers:read subscribers:write` };
  const { url } = await openService(clients);
  const folder = temporaryFolder();
  for (const name of ['openapi.json', 'arazzo.json'])
    writeFileSync(join(folder, name), await (await fetch(`${url}/${name}`)).text());

  // The seed's addresses look ambiguous, but `by-token` is no id: ids are numbers.
  const rules = ['--extends=recommended', '--skip-rule=no-ambiguous-paths', '--format=stylish'];
  const linted = await redocly(folder, ['lint', 'openapi.json', 'arazzo.json', ...rules]);
  expect(linted).toMatchObject({ code: 0, stdout: '' });
  expect(linted.stderr).toContain('Your API descriptions are valid.');

  const inputs = {
    clientId: 'crm',
    clientSecret: secret,
    username: 'anna',
    idempotencyKey: 'some-random-letters',
  };
  const given = Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`]);
  const done = await redocly(folder, ['respect', 'arazzo.json', ...given]);
  expect(done.code, done.stdout).toBe(0);
  const called = [...done.stdout.matchAll(/✓ ([A-Z]+ \/\S+) - step (\w+) /g)].map(([, call, name]) => [
    name,
    call,
  ]);
  const rows = Object.entries(api).map(([name, { method, path }]) => [name, `${method} ${path}`]);
  expect(Object.fromEntries(called)).toEqual(Object.fromEntries(rows));
  // Each answer has the status, the type and the shape that `openapi.json` says.
  expect(done.stdout.match(/✓ (success criteria|status code|content-type|schema) check/g)).toHaveLength(
    4 * rows.length,
  );
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
