import { CannotStart, systemCode } from '../cannot-start.ts';

/**
 * Why a PostgreSQL database cannot be used, in a sentence for the operator. Without the driver's message and the value
 * of the variable, because both may contain the password.
 */
export function postgresProblem(variable: string, error: unknown): CannotStart {
  const code = systemCode(error);
  const sentence = sentences[code] ?? sentenceFor(code, error);
  return new CannotStart(sentence.replaceAll('$', variable), error);
}

/** By SQLSTATE; `$` stands for the variable. */
const sentences: Readonly<Record<string, string>> = {
  '28P01': 'The database server refuses the user or the password. Correct them in $.',
  '28000':
    'The database server does not allow this user to connect from here. Correct the user in $, or allow it in pg_hba.conf.',
  '3D000': 'The database server has no database with this name. Create it, or correct the name in $.',
  '42501': 'The database user may not create tables. Make the user in $ the owner of the database.',
  '0A000':
    'The database server in $ does not have the extension pg_trgm. Install the contrib package of PostgreSQL there, such as postgresql-contrib.',
  '25006': 'The database in $ takes no changes: it is a standby, or read-only. Set $ to the primary.',
  '53300':
    'The database server in $ accepts no more connections. Raise its max_connections, or close other connections.',
  '57P03': 'The database server in $ is starting or stopping. Try again when it is ready.',
};

function sentenceFor(code: string, error: unknown): string {
  if (error instanceof Error && error.message.startsWith('corrupted migrations'))
    return 'The database in $ belongs to a newer version of Subscriber Desk, or to another program. Update Subscriber Desk, or set $ to another database.';
  // The driver's own sentence, without a code.
  if (error instanceof Error && error.message === 'The server does not support SSL connections')
    return 'The database server in $ encrypts no connections. Turn on ssl there, or add ?sslmode=disable to $ where you trust the network.';
  if (error instanceof Error && 'syscall' in error && error.syscall === 'open')
    return `A file that $ names cannot be read (${code}). Correct its path.`;
  if (/^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_TLS)/.test(code))
    return `The certificate of the database server cannot be trusted (${code}). Add sslrootcert=FILE to $.`;
  if (/^[0-9A-Z]{5}$/.test(code))
    return `The database in $ reports an error (SQLSTATE ${code}). Look the code up in the PostgreSQL manual, and check the server log.`;
  return `The database server in $ does not answer${code && ` (${code})`}. Start it, or correct the host and the port in $.`;
}
