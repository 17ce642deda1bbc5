import type { Kysely } from 'kysely';
import type { ServiceTables } from './schema.ts';

/** One line of the log. Facts are route patterns and figures, never addresses, tokens or personal data. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  event: string,
  facts?: Readonly<Record<string, unknown>>,
) => void;

/** All that the service needs of the place where it runs. */
export interface ServiceDeps {
  db: Kysely<ServiceTables>;
  /** Milliseconds since 1970. */
  clock: () => number;
  random: (bytes: number) => Uint8Array;
  /** The URL that the service's paths hang off; `iss` and `aud` of its tokens. */
  issuer: string;
  log: Log;
  /** Whether the process is about to end: readiness says so. */
  isLeaving?: () => boolean;
}
