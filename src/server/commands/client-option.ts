import { CannotStart } from '../cannot-start.ts';
import { isClientId } from '../config/service-config.ts';

/**
 * The client that a command is for, from what stands behind the command's name.
 *
 * @throws {CannotStart} where it is none, or more stands there
 */
export function oneClient(command: string, [id, ...more]: readonly string[]): string {
  if (id === undefined || more.length > 0)
    throw new CannotStart(`Give one client: npm run service -- ${command} ID.`);
  return checkedClient(id);
}

/** @throws {CannotStart} for what cannot be a client's id */
export function checkedClient(id: string): string {
  if (isClientId(id)) return id;
  throw new CannotStart(
    'The id of a client has 1 to 64 letters, digits, hyphens, dots and underscores, and no others.',
  );
}

export const unknownClient = (id: string): CannotStart =>
  new CannotStart(`There is no client ${id}. Check its spelling, and DATA_DIR or SERVICE_DATABASE_URL.`);
