import * as z from 'zod/mini';
import type { Dialect } from '../../bff/upstream/dialect/shape.ts';

/** A service elsewhere, and how the desk gets in. */
export interface UpstreamConfig {
  /** What its paths hang off, without a slash at its end. */
  url: string;
  clientId: string;
  clientSecret: string;
  /** Scope strings as the service calls them. */
  scopes: { read: string; write: string };
  /** How it differs from the contract, where it does. */
  dialect: Dialect | null;
}

const text = (fits: (value: string) => boolean, sentence: string) =>
  z.optional(z.string().check(z.refine(fits, sentence)));

const scope = (name: string) =>
  text(
    // RFC 6749 §3.3.
    (value) => /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(value),
    `Set ${name} to the scope that the service asks for, or several with one space between them.`,
  );

/** The variables of a service elsewhere; all of them are set, or none, and the dialect only beside them. */
export const upstreamVariables = {
  UPSTREAM_URL: text(
    isBaseUrl,
    'Set UPSTREAM_URL to the base address of the service, such as https://subscribers.example.com/v1, without a query.',
  ),
  UPSTREAM_CLIENT_ID: text(isFilled, 'Set UPSTREAM_CLIENT_ID to the id that the service knows the desk by.'),
  UPSTREAM_CLIENT_SECRET: text(
    isFilled,
    'Set UPSTREAM_CLIENT_SECRET to the secret that the service gave for the desk.',
  ),
  UPSTREAM_SCOPE_READ: scope('UPSTREAM_SCOPE_READ'),
  UPSTREAM_SCOPE_WRITE: scope('UPSTREAM_SCOPE_WRITE'),
  UPSTREAM_DIALECT: text(isFilled, 'Set UPSTREAM_DIALECT to a JSON file, such as ./dialect.json.'),
};

type Read = { [N in keyof typeof upstreamVariables]?: string | undefined };

/** What is wrong with the variables together: a sentence for each that is missing beside the others. */
export function upstreamGaps(read: Read): string[] {
  const all = Object.keys(upstreamVariables) as (keyof Read)[];
  if (all.every((name) => read[name] === undefined)) return [];
  const names = all.filter((name) => name !== 'UPSTREAM_DIALECT');
  const missing = names.filter((name) => read[name] === undefined);
  return missing.map(
    (name) => `Set ${name} too: with a service elsewhere, the desk needs all of ${names.join(', ')}.`,
  );
}

/** The service elsewhere, or null where none is named. */
export function upstreamOf(read: Read, dialect: Dialect | null): UpstreamConfig | null {
  const { UPSTREAM_URL: url, UPSTREAM_CLIENT_ID: clientId, UPSTREAM_CLIENT_SECRET: clientSecret } = read;
  const [readScope, writeScope] = [read.UPSTREAM_SCOPE_READ, read.UPSTREAM_SCOPE_WRITE];
  if (!url || !clientId || !clientSecret || !readScope || !writeScope) return null;
  return {
    url: url.replace(/\/+$/, ''),
    clientId,
    clientSecret,
    scopes: { read: readScope, write: writeScope },
    dialect,
  };
}

/** As text first: parsing would drop a `/.` and hide a user's name. */
export function isBaseUrl(value: string): boolean {
  return /^https?:\/\/[^?#@\s\\]+$/i.test(value) && !/\/\.{1,2}(\/|$)/.test(value) && URL.canParse(value);
}

function isFilled(value: string): boolean {
  return value.trim() !== '' && !/\p{Cc}/u.test(value);
}
