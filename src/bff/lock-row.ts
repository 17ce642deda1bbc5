import { sql, type Kysely, type Selectable } from 'kysely';

/**
 * Locks rows until the transaction ends, by a write that changes nothing: the one way that both engines have. Outside of a
 * transaction it shows that the database can be written to.
 *
 * @returns the first of them as it is now; undefined if there is none
 */
export async function lockRow<Tables, Name extends keyof Tables & string>(
  tx: Kysely<Tables>,
  table: Name,
  where: Partial<Selectable<Tables[Name]>>,
): Promise<Selectable<Tables[Name]> | undefined> {
  const columns = Object.entries(where).map(([name, value]) => ({ column: sql.ref(name), value }));
  const [first] = columns;
  if (!first) throw new Error('Say which row to lock.');
  const conditions = columns.map(({ column, value }) => sql`${column} = ${value}`);
  const { rows } = await sql<Selectable<Tables[Name]>>`
    update ${sql.table(table)} set ${first.column} = ${first.column}
    where ${sql.join(conditions, sql` and `)} returning *`.execute(tx);
  return rows[0];
}
