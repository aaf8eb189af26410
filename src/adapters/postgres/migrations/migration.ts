/** A step from one version of the schema to the next. Once released, a migration is never changed: another one follows. */
export interface Migration {
  /** Counted from 1, without gaps. */
  readonly version: number;
  readonly name: string;
  /**
   * The oldest version whose code can still work with the schema after this step. A step that only adds leaves it as it was,
   * and old and new code run side by side.
   */
  readonly oldestUser: number;
  /** SQL statements; unqualified names are those of the package's own schema. */
  readonly sql: string;
}
