import type { RecordedEdit } from "../../domain/changes/recorded-edits.js";
import type { SessionKey } from "../../domain/session/session-key.js";

export interface EditsOfSession {
  readonly key: SessionKey;
  /** Changes whenever the session grows. */
  readonly identity: string;
  readonly edits: readonly RecordedEdit[];
}

/** Stores edits for the next start of the process. A failure counts as absent data and causes no error. */
export interface CachedEdits {
  /**
   * @param names of the files, without folders, in their order
   * @returns the edits of a session; `undefined` without stored edits for that identity
   */
  of(
    names: readonly string[],
  ): Promise<(session: Omit<EditsOfSession, "edits">) => readonly RecordedEdit[] | undefined>;

  /** Stores the edits of some sessions beside those of others. */
  keep(names: readonly string[], sessions: readonly EditsOfSession[]): Promise<void>;
}

export const NO_CACHED_EDITS: CachedEdits = {
  of: async () => () => undefined,
  keep: async () => undefined,
};
