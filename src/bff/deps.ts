import type { Role } from '../contract/bff/permission.ts';
import type { CreateHmac } from '../lib/crypto.ts';
import type { Log } from '../lib/log.ts';
import type { QueueLimits } from '../lib/queue.ts';
import type { ExtensionName } from '../contract/service/list-rules.ts';
import type { SessionCookie } from './auth/cookies.ts';
import type { BffMetrics } from './metrics.ts';
import type { BffDb } from './schema.ts';
import type { Dialect } from './upstream/dialect/shape.ts';
import type { UpstreamExchange, UpstreamLimits } from './upstream/exchange.ts';

export interface Passwords {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
}

/** The Subscriber Management Service, and how the BFF signs in to it. */
export interface Upstream {
  exchange: UpstreamExchange;
  /** The address before the table's paths, without a slash at its end. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** Scope strings as the service calls them. */
  scopes: { read: string; write: string };
  /** The contract's extensions that this service has. */
  extensions: readonly ExtensionName[];
  /** Differences from the contract; without it, the service speaks the contract. */
  dialect?: Dialect;
}

/**
 * The way that requests come in. In a tab there is nothing that guards could check, because a browser drops Host,
 * Origin, Sec-Fetch-*, Cookie and Set-Cookie from requests and answers that are made in a page: the demo names the
 * user, or keeps the session's id instead of a cookie.
 */
export type Transport =
  | { kind: 'http'; publicUrl: string }
  | { kind: 'tab'; staff: { name: string; role: Role } }
  /** Requests within a tab do not say which browser it is in. */
  | { kind: 'tab'; cookie: SessionCookie; userAgent?: string };

/** The OpenID provider that signs staff in, and how it knows the BFF. */
export interface SingleSignOn {
  /** The issuer identifier; https, or http on a loopback address. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The claim that names the role: its name, or the way to it with dots. */
  roleClaim: string;
  /** The scopes to request, with `openid` among them; the usual ones if not given. */
  scope?: string;
  /** 32 bytes in base64url, the same at every replica: with a session's id it encrypts the session's refresh token. */
  tokenKey: string;
  /** One exchange with any address of the provider; no redirect is followed. */
  fetch: (request: Request) => Promise<Response>;
}

/** Most reads of one account. Every replica counts for itself. */
export interface ReadLimits {
  /** Reads under way at once, how many may wait besides, and for how many ms. */
  reads: Pick<QueueLimits, 'atOnce' | 'mostWaiting' | 'patience'>;
  /** Lists under way at once: each can keep a database busy for a while, which others wait for. */
  lists: number;
  /** Reads a second that are answered at once for any length of time, and how many more in a burst. */
  perSecond: number;
  burst: number;
}

/** Does work that no request waits for as a trace of its own. @param job the id of the job that the work is for */
export type RunTraced = <T>(
  name: 'prepare job' | 'change row of job',
  job: string,
  work: () => Promise<T>,
) => Promise<T>;

/** All that the BFF needs of its surroundings. */
export interface BffDeps {
  db: BffDb;
  /** Runs a read that may be slow so that it delays no other read. Without it, such a read delays all others. */
  runSlowRead?: <T>(read: (db: BffDb) => Promise<T>, signal: AbortSignal) => Promise<T>;
  /** Milliseconds since 1970. */
  clock: () => number;
  random: (bytes: number) => Uint8Array;
  passwords: Passwords;
  /** SHA-256 of a text, in base64url. If not given, Web Crypto, which takes a turn of the event loop: 50 µs instead of 3. */
  sha256?: (text: string) => string | Promise<string>;
  /** The same for HMAC. */
  createHmac?: CreateHmac;
  upstream: Upstream;
  transport: Transport;
  /** Without one, there are only local accounts. */
  singleSignOn?: SingleSignOn;
  /**
   * 32 bytes in base64url, kept as long as the journal. They show whether the journal was changed. The versions of
   * records are made with them, too.
   */
  journalKey: string;
  /** 32 bytes in base64url, the same at every replica: the secrets of second factors are encrypted under it. */
  secondFactorKey: string;
  /** Users who need a second factor before anything else is open to them; nobody if not given. */
  requireSecondFactor?: 'managers' | 'all';
  /** A key for the journal's chain that is kept outside the database; null or not given if there is none. */
  externalKey?: string | null;
  /** Time that the journal is kept, in days; forever if not given. */
  journalDays?: number;
  /** The dashboard's files. */
  pages: (request: Request) => Promise<Response>;
  /** True if the databases of this process can be written to, as far as that is known besides. */
  canWrite?: () => Promise<boolean>;
  /** True while the clock is far from the database's: then nothing is served, because every limit of time would be wrong. */
  isClockWrong?: (() => boolean) | undefined;
  /** True if the process is about to stop: then it is not ready, whatever else works. */
  isStopping?: () => boolean;
  log: Log;
  /** The token that opens the metrics, and what keeps them; without it nothing is counted. */
  metrics?: { token: string; figures: BffMetrics };
  /** If not given, work without a request is not part of any trace. */
  runTraced?: RunTraced;
  /** Waits for `ms`; the ordinary timer if not given. */
  wait?: (ms: number) => Promise<void>;
  /** The limits of calls to the service: time and size of the answer; the usual ones if not given. */
  limits?: UpstreamLimits;
  /** A sentence for staff that says where the status of a subscriber is set; the usual one if not given. */
  statusHelp?: string;
  /** Usual length of a new trial, in days; 7 if not given. */
  trialDays?: number;
  /** Makes playlist addresses, as `playlistUrlOf` does; without it staff are offered none. */
  playlistUrlTemplate?: string;
  /** Most reads of one account, which then has budgets for all else too; without it, there is no limit. */
  accountLimits?: ReadLimits;
}
