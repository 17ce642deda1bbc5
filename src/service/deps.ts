import type { Kysely } from 'kysely';
import type { Log } from '../contract/http/log.ts';
import type { ServiceTables } from './schema.ts';

/** What the service needs of its surroundings. */
export interface ServiceDeps {
  db: Kysely<ServiceTables>;
  /** Other connections to the same database for reads that can take long, so that they delay nothing else. */
  slowReads?: Kysely<ServiceTables>;
  /** Milliseconds since 1970. */
  clock: () => number;
  random: (bytes: number) => Uint8Array;
  /** The URL that the service's paths hang off; `iss` and `aud` of its tokens. */
  issuer: string;
  log: Log;
  /** Whether the process is about to end: readiness says so. */
  isStopping?: () => boolean;
}
