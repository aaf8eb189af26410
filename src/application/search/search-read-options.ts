import type { ReadOptions } from "../ports/record-stream.js";

export interface SearchReadOptions extends ReadOptions {
  /** Told of every failure that is not the client's, and that the answer only mentions. It does not throw. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}
