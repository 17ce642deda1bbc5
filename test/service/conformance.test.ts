import { afterAll } from 'vitest';
import type { Subject } from '../support/service/calls.ts';
import { createDatabase, engine } from '../support/setup/database.ts';
import { startProduct, stopProducts } from '../support/e2e/product.ts';
import { describeConformance } from './conformance/suite.ts';

const without = process.env['CONFORMANCE_KEYS'] === 'none' ? ['Idempotency-Key'] : [];

/** The service over HTTP, or the one that the variables name, which need not know what the contract calls an extension. */
describeConformance(
  async () => {
    const {
      CONFORMANCE_URL: url,
      CONFORMANCE_CLIENT_ID: id,
      CONFORMANCE_CLIENT_SECRET: secret,
    } = process.env;
    if (url === undefined) return startOwn();
    if (!id || !secret)
      throw new Error('Set CONFORMANCE_CLIENT_ID and CONFORMANCE_CLIENT_SECRET beside CONFORMANCE_URL.');
    // Of two runs at once each has its own names.
    const prefix = `suite-${crypto.randomUUID().slice(0, 8)}`;
    return { base: url.replace(/\/+$/, ''), credentials: { id, secret }, prefix, fetch };
  },
  { without },
);

/** As `npm run service` starts it, in this process. */
async function startOwn(): Promise<Subject> {
  const credentials = { id: 'suite', secret: 'of the suite '.repeat(3).replaceAll(' ', '-') };
  const { url: base } = await startProduct('service', {
    SERVICE_CLIENTS: `suite:${credentials.secret}:subscribers:read subscribers:write`,
    SAMPLE_SUBSCRIBERS: '0',
    ...(engine === 'postgres' && { SERVICE_DATABASE_URL: await createDatabase() }),
  });
  afterAll(stopProducts);
  return { base, credentials, fetch };
}
