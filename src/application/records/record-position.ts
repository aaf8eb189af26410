/** The lists of a session that are searched, in this order. */
export const SEARCHED_LISTS = ["trace", "orchestration", "messages"] as const;

/** A place within a session: the next record to be searched. */
export interface RecordPosition {
  readonly list: (typeof SEARCHED_LISTS)[number];
  /** The position of the record in the list, in the order of the answer. */
  readonly at: number;
  /** Number of its hits in earlier answers. */
  readonly skip: number;
}
