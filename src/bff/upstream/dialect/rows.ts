import { api, type OperationName } from '../../../contract/service/api.ts';
import type { Endpoint } from '../../../contract/http/endpoint.ts';
import type { Dialect } from './shape.ts';

/** The endpoint table with a dialect's methods and paths in it. */
export function rowsOf(dialect: Dialect | undefined): Readonly<Record<OperationName, Endpoint>> {
  if (!dialect) return api;
  const rows = Object.entries<Endpoint>(api).map(([name, row]) => {
    const { method = row.method, path = row.path } = dialect.operations[name as OperationName] ?? {};
    // Checked to begin with a slash when the file was read.
    return [name, { ...row, method, path: path as Endpoint['path'] }];
  });
  return Object.fromEntries(rows) as Record<OperationName, Endpoint>;
}
