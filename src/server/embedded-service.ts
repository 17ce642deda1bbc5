import type { Kysely } from 'kysely';
import type { Upstream } from '../bff/http/bff.ts';
import { exchangeByFetch } from '../bff/upstream/exchange.ts';
import { extensionNames } from '../contract/service/list-rules.ts';
import { scopes } from '../contract/service/token.ts';
import { setApiClient } from '../service/oauth/api-clients.ts';
import type { ServiceDeps } from '../service/deps.ts';
import { addSamples, hasHadSubscribers } from '../service/samples/samples.ts';
import { createService } from '../service/http/service.ts';
import type { ServiceTables } from '../service/schema.ts';

/** The embedded service's address. Requests to it never leave the process, and nobody can own a name in `.internal`. */
const baseUrl = 'http://subscriber-service.internal';
/** The API client of the BFF in the same process; its secret is generated and never shown. */
export const embeddedClientId = 'subscriber-desk';

/**
 * The service in the same process or tab, as the BFF calls it, on a database that `fillEmbeddedService` has filled.
 *
 * @param yieldToOthers waits for a turn of the event loop. SQLite answers without one, so that a job or an export, which call
 *   thousands of times, would let nobody else be answered.
 */
export function embedService(
  deps: Omit<ServiceDeps, 'issuer'>,
  clientSecret: string,
  yieldToOthers = () =>
    new Promise<void>((resolve) => {
      // A browser makes each of many timers wait for 4 ms.
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => {
        port1.close();
        resolve();
      });
      port1.start();
      port2.postMessage(null);
    }),
): Upstream {
  const exchange = exchangeByFetch(createService({ ...deps, issuer: baseUrl }).fetch);
  return {
    async exchange(request) {
      await yieldToOthers();
      return exchange(request);
    },
    baseUrl,
    clientId: embeddedClientId,
    clientSecret,
    scopes: { read: 'subscribers:read', write: 'subscribers:write' },
    extensions: extensionNames,
  };
}

/**
 * Adds the BFF's API client, and made-up subscribers if there has never been any subscriber.
 *
 * @returns true if it added subscribers
 */
export async function fillEmbeddedService(
  db: Kysely<ServiceTables>,
  given: { clientSecret: string; samples: number; now: number },
): Promise<boolean> {
  await setApiClient(db, { id: embeddedClientId, secrets: [given.clientSecret], scopes });
  return addFirstSamples(db, given);
}

/** Adds made-up subscribers to a service that has never had any subscriber. @returns true if it added some */
export async function addFirstSamples(
  db: Kysely<ServiceTables>,
  { samples, now }: { samples: number; now: number },
): Promise<boolean> {
  if (samples === 0 || (await hasHadSubscribers(db))) return false;
  await addSamples(db, { count: samples, seed: 1, now });
  return true;
}
