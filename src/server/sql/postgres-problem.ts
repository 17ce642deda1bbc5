import { CannotStart, systemCode } from '../cannot-start.ts';

/**
 * Why a PostgreSQL database cannot be used, in a sentence for the operator. Never the driver's message, nor the variable's
 * value: either may hold the password.
 */
export function postgresProblem(variable: string, error: unknown): CannotStart {
  const code = systemCode(error);
  const sentence = sentences[code] ?? sentenceFor(code, error);
  return new CannotStart(sentence.replaceAll('$', variable), error);
}

/** By SQLSTATE; `$` stands for the variable. */
const sentences: Readonly<Record<string, string>> = {
  '28P01': 'The server of $ refuses this user and password. Correct them in $.',
  '28000':
    'The server of $ does not let this user in from here. Correct the user in $, or allow it in pg_hba.conf.',
  '3D000': 'The server of $ has no database of this name. Create it, or correct the name in $.',
  '42501': 'The user of $ may not make tables in this database. Make it the owner of the database.',
  '0A000':
    'The server of $ lacks the extension pg_trgm. Install the contrib package of its PostgreSQL, such as postgresql-contrib.',
  '53300': 'The server of $ takes no more connections. Raise its max_connections, or stop what holds them.',
  '57P03': 'The server of $ is starting or stopping. Try again when it is ready.',
};

function sentenceFor(code: string, error: unknown): string {
  if (error instanceof Error && error.message.startsWith('corrupted migrations'))
    return 'The database of $ belongs to a newer version, or to another program. Name another one in $.';
  if (/^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_TLS)/.test(code))
    return `The certificate of the server of $ cannot be trusted (${code}). Add sslrootcert=FILE to $.`;
  if (/^[0-9A-Z]{5}$/.test(code)) return `The database of $ refuses to work (SQLSTATE ${code}).`;
  return `The server of $ does not answer${code && ` (${code})`}. Start it, or correct host and port in $.`;
}
