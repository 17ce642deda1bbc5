import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely';
import type { Ask } from './tabs.ts';

interface Loan<Tables> {
  tab: string;
  connection: Kysely<Tables>;
  end: () => void;
}

/** Lends the one connection of a database to other tabs, to one after the other. */
export function createLender<Tables>(db: Kysely<Tables>) {
  const loans = new Map<number, Loan<Tables>>();
  const closed = new Set<string>();
  let last = 0;
  const giveBack = (number: number) => {
    loans.get(number)?.end();
    loans.delete(number);
  };
  const withdraw = async (number: number) => {
    // There is nothing to roll back, if it was closed between two transactions.
    await loans
      .get(number)
      ?.connection.executeQuery(CompiledQuery.raw('rollback'))
      .catch(() => undefined);
    giveBack(number);
  };
  return {
    /** @returns the number of the loan */
    async lend(tab: string): Promise<number> {
      const number = (last += 1);
      await new Promise<void>((lent, failed) => {
        const use = (connection: Kysely<Tables>) =>
          new Promise<void>((end) => {
            loans.set(number, { tab, connection, end });
            lent();
          });
        db.connection().execute(use).catch(failed);
      });
      if (closed.has(tab)) giveBack(number);
      return number;
    },
    async run(number: number, sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> {
      const loan = loans.get(number);
      if (!loan) throw new Error('The connection was given back.');
      const query = CompiledQuery.raw(sql, [...parameters]);
      const { rows, numAffectedRows, insertId } = await loan.connection.executeQuery(query);
      return {
        rows,
        ...(numAffectedRows !== undefined && { numAffectedRows }),
        ...(insertId !== undefined && { insertId }),
      };
    },
    giveBack,
    /** Takes back what a tab has that was closed, and rolls back what it had not committed. */
    async forget(tab: string): Promise<void> {
      closed.add(tab);
      for (const [number, loan] of loans) if (loan.tab === tab) await withdraw(number);
    },
  };
}

export type Lender = ReturnType<typeof createLender>;

/** The database of this name in the tab that leads, as if it were here. */
export function openLentDatabase<Tables>(ask: Ask, database: string): Kysely<Tables> {
  const connect = (loan: unknown): LentConnection => ({
    loan,
    // The lender sends what its own database answered.
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery) =>
      (await ask('run', database, loan, sql, parameters)) as QueryResult<Row>,
    streamQuery() {
      throw new Error('A lent database has no streams.');
    },
  });
  const driver: Driver = {
    init: async () => undefined,
    acquireConnection: async () => connect(await ask('lend', database)),
    beginTransaction: runIn('begin'),
    commitTransaction: runIn('commit'),
    rollbackTransaction: runIn('rollback'),
    async releaseConnection(connection) {
      // Only `acquireConnection` makes them. Where the tab that leads has closed, there is nothing to give back.
      await ask('giveBack', database, (connection as LentConnection).loan).catch(() => undefined);
    },
    destroy: async () => undefined,
  };
  return new Kysely<Tables>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => new SqliteAdapter(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
  });
}

const runIn = (sql: string) => async (connection: DatabaseConnection) =>
  void (await connection.executeQuery(CompiledQuery.raw(sql)));

interface LentConnection extends DatabaseConnection {
  loan: unknown;
}
