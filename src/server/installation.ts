/**
 * Where this program's files are, and what a person types to run it. A clone runs the TypeScript of `src/server`; the
 * package has it bundled, as deep below its top folder.
 */
import { extname, join } from 'node:path';

const { dirname, filename } = import.meta;
const isClone = extname(filename) === '.ts';

/** The top folder: of the clone, or of the installed package. */
export const root = join(dirname, '../..');

/**
 * The file of a thread.
 *
 * @param name its path in `src/server`, without the ending
 */
export const threadFile = (name: string): string => join(dirname, `${name}${extname(filename)}`);

/** The command line before the name of a command, and the one that starts the server. */
export const commandLines = isClone
  ? { start: 'npm start', desk: 'npm run desk --', service: 'npm run service --' }
  : { start: 'subscriber-desk', desk: 'subscriber-desk', service: 'subscriber-desk service' };
