import type { RecordedEdit } from "../../domain/changes/recorded-edits.js";
import type { SessionKey } from "./session-store.js";

/** The edits of files of some names in one session. */
export interface EditsOfSession {
  readonly key: SessionKey;
  /** Another one whenever the session went on. */
  readonly identity: string;
  readonly edits: readonly RecordedEdit[];
}

/** Keeps what was read of sessions' edits for the next start of the process. What cannot be kept or read is not there: nothing fails. */
export interface KeptEdits {
  /**
   * @param names of the files, without folders, in their order
   * @returns the edits of a session; `undefined` where none are kept for that identity
   */
  of(
    names: readonly string[],
  ): Promise<(session: Omit<EditsOfSession, "edits">) => readonly RecordedEdit[] | undefined>;

  /** Keeps those of some sessions beside what is kept of others. */
  keep(names: readonly string[], sessions: readonly EditsOfSession[]): Promise<void>;
}

/** Keeps nothing. */
export const NO_KEPT_EDITS: KeptEdits = {
  of: async () => () => undefined,
  keep: async () => undefined,
};
