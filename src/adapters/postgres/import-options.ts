import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { OptionTable } from "../../domain/options/check-options.js";
import { BOOLEAN, FUNCTION, numberFrom, TEXT, withMethods } from "../../domain/options/option-kinds.js";
import type { SessionKey } from "../../domain/session/session-key.js";

export interface ImportProgress {
  /** Finished sessions, and their total number. */
  readonly sessions: number;
  readonly totalSessions: number;
  readonly records: number;
  readonly bytes: number;
}

export interface ImportReport extends ImportProgress {
  /** Sessions that are absent or outdated in the database. */
  readonly skipped: readonly SkippedSession[];
}

export interface SkippedSession extends SessionKey {
  readonly reason: string;
}

export interface ImportOptions extends ReadOptions {
  /**
   * Prefix of each tenant in the database: with `laptop:`, `acme` becomes `laptop:acme`. It separates the histories of several machines.
   * Default is nothing.
   */
  readonly tenantPrefix?: string | undefined;
  /** True to continue as the histories grow, until the signal is aborted. Default is false. */
  readonly watch?: boolean | undefined;
  /** Maximum wait for a database that became unreachable, in milliseconds. Default is 30,000. */
  readonly retryForMs?: number | undefined;
  /** Called after every session. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** With `watch`: called after each pass that copied or skipped a session, and after the first pass. */
  readonly onImported?: ((report: ImportReport) => void) | undefined;
  /** Called once when the wait for the database begins. */
  readonly onWaiting?: ((error: unknown) => void) | undefined;
}

export const IMPORT_OPTIONS = {
  tenantPrefix: TEXT,
  watch: BOOLEAN,
  retryForMs: numberFrom(0, "a number of milliseconds"),
  onProgress: FUNCTION,
  onImported: FUNCTION,
  onWaiting: FUNCTION,
  signal: withMethods<AbortSignal>("AbortSignal", ["throwIfAborted"]),
} satisfies OptionTable<ImportOptions>;
