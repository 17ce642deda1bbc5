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
 * an `integer` has 64 bits, one that counts up is an identity, and a `text` sorts by its code points. CockroachDB, a
 * plain engine, sorts every text so, and refuses to be told.
 */
export function createPostgresCompiler({ plain }: { plain: boolean }): QueryCompiler {
  return plain ? new PlainCompiler() : new PostgresCompiler();
}

class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    super.visitColumnDefinition(
      typeOf(node) === 'text'
        ? ColumnDefinitionNode.cloneWithFrontModifier(node, byCodePoint)
        : withWideIntegers(node),
    );
  }
}

class PlainCompiler extends PostgresQueryCompiler {
  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    super.visitColumnDefinition(withWideIntegers(node));
  }
}

const typeOf = ({ dataType }: ColumnDefinitionNode) => (DataTypeNode.is(dataType) ? dataType.dataType : null);

function withWideIntegers(node: ColumnDefinitionNode): ColumnDefinitionNode {
  if (typeOf(node) !== 'integer') return node;
  const { autoIncrement, ...rest } = node;
  return {
    ...rest,
    dataType: DataTypeNode.create('bigint'),
    ...(autoIncrement && { generated: GeneratedNode.create({ identity: true, byDefault: true }) }),
  };
}

// The order of the database's own locale would differ from machine to machine.
const byCodePoint = sql`collate "C"`.toOperationNode();
