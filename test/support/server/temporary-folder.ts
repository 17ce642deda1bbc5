import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** After the running test, or after the file's tests where it is opened for all of them, outside of any. */
export function whenOver(end: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(end);
  else afterAll(end);
}

/** An empty folder that goes away with the running test, or with the file's tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
  whenOver(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
