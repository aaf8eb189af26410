import type { ReadOptions } from "../ports/record-stream.js";

export interface SearchReadOptions extends ReadOptions {
  /** Receives every failure that the client did not cause and that the answer only mentions. It does not throw. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}
