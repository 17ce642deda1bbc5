import {
  ColumnDefinitionNode,
  DataTypeNode,
  GeneratedNode,
  PostgresQueryCompiler,
  sql,
  type QueryCompiler,
} from 'kysely';

/**
 * Writes SQL for PostgreSQL, where the columns of a migration mean what they mean in SQLite:
 * an `integer` has 64 bits, one that counts up is an identity, and a `text` sorts by its code points.
 */
export function createPostgresCompiler(): QueryCompiler {
  return new PostgresCompiler();
}

class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    super.visitColumnDefinition(asInSqlite(node));
  }
}

function asInSqlite(node: ColumnDefinitionNode): ColumnDefinitionNode {
  const type = DataTypeNode.is(node.dataType) ? node.dataType.dataType : null;
  if (type === 'text') return ColumnDefinitionNode.cloneWithFrontModifier(node, byCodePoint);
  if (type !== 'integer') return node;
  const { autoIncrement, ...rest } = node;
  return {
    ...rest,
    dataType: DataTypeNode.create('bigint'),
    ...(autoIncrement && { generated: GeneratedNode.create({ identity: true, byDefault: true }) }),
  };
}

// The order of the database's own locale would differ from machine to machine.
const byCodePoint = sql`collate "C"`.toOperationNode();
