import { expect, test } from 'vitest';
import { startProcess } from '../support/server/start-process.ts';
import { stopUnderLoad } from '../support/server/stop-under-load.ts';

test('a server that is told to stop under load fails no request that it began to read, and its readiness before', async () => {
  const { failures, answered, logged, exitCode, took, readiness } = await stopUnderLoad('SIGTERM');
  expect({ failures, exitCode, unanswered: logged - answered }).toEqual({
    failures: [],
    exitCode: 0,
    unanswered: 0,
  });
  expect(took).toBeLessThan(15_000);
  expect(new Set(readiness)).toEqual(new Set([200, 503]));
  expect(readiness.at(-1)).toBe(503);
});

test.each(['SIGINT', 'SIGHUP'] as const)(
  '%s stops what a command has started, and it ends well',
  async (signal) => {
    const command = startProcess([
      '--input-type=module',
      '-e',
      `import { runCommand } from './src/server/run-command.ts';
       await runCommand(async ({ say }) => {
         const running = setInterval(() => {}, 1000);
         say('started');
         return async () => { clearInterval(running); say('stopped'); };
       });`,
    ]);
    await command.line(/^started$/);
    command.signal(signal);
    expect(await command.ended).toEqual({ code: 0, stdout: 'started\nstopped\n', stderr: '' });
  },
);
