/** An error in a filter, and its position. */
export interface FilterProblem {
  /** In a sentence or two. */
  readonly message: string;
  /** The first character that it is about, from 0, and how many there are. */
  readonly at: number;
  readonly length: number;
  /** The probable intended text instead of these characters. */
  readonly nearest?: string;
}

export function problemAt(
  { at, length }: { readonly at: number; readonly length: number },
  message: string,
  nearest?: string,
): FilterProblem {
  return { message, at, length, ...(nearest === undefined ? {} : { nearest }) };
}
