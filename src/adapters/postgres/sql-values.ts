/** Context for writing a condition. */
export interface SqlValues {
  /** The clock, in milliseconds since the epoch. */
  readonly now: number;
  /** Adds a value to the statement, and gives its name there: nothing of a filter becomes a part of the statement's text. */
  parameter(value: unknown): string;
}
