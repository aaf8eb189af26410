export interface SqlValues {
  readonly now: number;
  /** Adds a value and returns its placeholder: the statement's text never contains a filter's text. */
  parameter(value: unknown): string;
}
