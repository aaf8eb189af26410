export interface FilterProblem {
  /** One or two sentences. */
  readonly message: string;
  /** Index of the first character that it concerns. */
  readonly at: number;
  readonly length: number;
  /** Text that the user probably intended. */
  readonly nearest?: string;
}

export function problemAt(
  { at, length }: { readonly at: number; readonly length: number },
  message: string,
  nearest?: string,
): FilterProblem {
  return { message, at, length, ...(nearest === undefined ? {} : { nearest }) };
}
