/** A column that concerns people or opens something. */
export interface StoredData {
  about: 'subscribers' | 'staff' | 'access';
  /** In what form it rests, such as `text` or `SHA-256`. */
  form: string;
  /**
   * Erases a person on demand: the column gets this value (`blank`), its row goes (`row`), or a text goes that names
   * the person (`named`).
   */
  erasure?: { blank: '' | null } | 'row' | 'named';
}

/** All tables of a database. Each column is in one of `holds` and `plain`. */
export type Inventory<Tables> = {
  readonly [T in keyof Tables]: {
    /** Time that a row is stored, in words. */
    kept: string;
    /** False for a table that backups leave out. */
    isInBackups: boolean;
    holds: { readonly [C in keyof Tables[T]]?: StoredData };
    /** The columns that name nobody and open nothing. */
    plain: readonly (keyof Tables[T])[];
  };
};
