import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { OptionTable } from "../../domain/options/check-options.js";
import { BOOLEAN, FUNCTION, numberFrom, TEXT, withMethods } from "../../domain/options/option-kinds.js";

export interface ImportProgress {
  /** Number of finished sessions, and their total number. */
  readonly sessions: number;
  readonly totalSessions: number;
  /** Number of records written so far, without records that already existed. */
  readonly records: number;
  readonly bytes: number;
}

export interface ImportReport extends ImportProgress {
  /** Sessions that are not, or not as their source has them now, in the database, each with the reason. */
  readonly skipped: readonly SkippedSession[];
}

export interface SkippedSession {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly reason: string;
}

export interface ImportOptions extends ReadOptions {
  /**
   * Begins the tenant of each session in the database: `laptop:` has the tenant `acme` be `laptop:acme`. So the histories of several
   * machines stay apart. Default is nothing.
   */
  readonly tenantPrefix?: string | undefined;
  /** True to continue the import as the histories grow, until its signal is aborted. Default is false. */
  readonly watch?: boolean | undefined;
  /** For how long a database that cannot be reached any more is waited for, in milliseconds. Default is 30,000. */
  readonly retryForMs?: number | undefined;
  /** Called after every session. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** With `watch`: called after each time that something was copied or skipped, the first time in any case. */
  readonly onImported?: ((report: ImportReport) => void) | undefined;
  /** Called once when the database cannot be reached, and is waited for. */
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
