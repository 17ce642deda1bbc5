import type { Config } from './config.ts';
import { openDataFile } from '../data-folder.ts';
import type { DatabasePlace } from '../open-database.ts';

/**
 * Where a room's tables are, by the configuration.
 *
 * @throws {CannotStart} where they are in a file and `DATA_DIR` cannot be used
 */
export async function placeOf(room: 'desk' | 'service', config: Config): Promise<DatabasePlace> {
  const [variable, url] =
    room === 'desk'
      ? ['DATABASE_URL', config.databaseUrl]
      : ['SERVICE_DATABASE_URL', config.serviceDatabaseUrl];
  return url === null ? { file: await openDataFile(config.dataDir, room) } : { variable, url };
}
