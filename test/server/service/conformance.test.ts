import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { describeConformance } from '../../service/conformance/suite.ts';
import type { Subject } from '../../service/conformance/subject.ts';
import { keepRunning } from '../../support/server/start-process.ts';
import { serviceAddress, serviceCommand } from '../../support/server/service-process.ts';

const extensions = { keys: process.env['CONFORMANCE_KEYS'] !== 'none' };

let end = async (): Promise<void> => {};
afterAll(() => end());

/** `npm run service`, or the one that the variables name, which need not know what the contract calls an extension. */
describeConformance(async () => {
  const { CONFORMANCE_URL: url, CONFORMANCE_CLIENT_ID: id, CONFORMANCE_CLIENT_SECRET: secret } = process.env;
  if (url === undefined) return startOwn();
  if (!id || !secret)
    throw new Error('Set CONFORMANCE_CLIENT_ID and CONFORMANCE_CLIENT_SECRET beside CONFORMANCE_URL.');
  // Of two runs at once each has its own names.
  const prefix = `suite-${crypto.randomUUID().slice(0, 8)}-`;
  return { base: url.replace(/\/+$/, ''), credentials: { id, secret }, prefix, fetch };
}, extensions);

async function startOwn(): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
  const credentials = { id: 'suite', secret: 'of the suite '.repeat(3).replaceAll(' ', '-') };
  const clients = `suite:${credentials.secret}:subscribers:read subscribers:write`;
  const { options, env } = serviceCommand(join(folder, 'data'), { SERVICE_CLIENTS: clients });
  const service = keepRunning(options, env);
  end = async () => {
    service.signal('SIGTERM');
    await service.ended;
    rmSync(folder, { recursive: true });
  };
  return { base: await serviceAddress(service), credentials, prefix: 'of-the-suite-', fetch };
}
