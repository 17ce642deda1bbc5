import { CannotStart } from '../../../src/server/cannot-start.ts';
import { readConfig, type Program } from '../../../src/server/config/config.ts';

type Texts = Readonly<Record<string, string>>;

/** Reads a configuration, with the files that its variables name. */
export const read = (env: Texts, files: Texts = {}, program: Program = 'server') =>
  readConfig(
    env,
    (path) => {
      const text = files[path];
      if (text === undefined) throw new Error('ENOENT');
      return text;
    },
    program,
  );

/** Faults of a configuration, a sentence each. */
export function errorsOf(...given: Parameters<typeof read>): string[] {
  try {
    read(...given);
    return [];
  } catch (error) {
    if (error instanceof CannotStart) return error.message.split('\n');
    throw error;
  }
}

/** A service elsewhere. */
export const elsewhere = {
  UPSTREAM_URL: 'https://subscribers.example.com/v1/',
  UPSTREAM_CLIENT_ID: 'desk',
  UPSTREAM_CLIENT_SECRET: 'a secret of theirs',
  UPSTREAM_SCOPE_READ: 'subs.read',
  UPSTREAM_SCOPE_WRITE: 'subs.write subs.tokens',
};

/** A provider of single sign-on. */
export const provider = {
  OIDC_ISSUER: 'https://id.example.com/realms/staff',
  OIDC_CLIENT_ID: 'subscriber-desk',
  OIDC_CLIENT_SECRET: 'a secret of the provider',
};

export const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };
