import type { Grouping, Stacking } from "../../domain/overview/overview.js";
import type { ContentKind } from "../../domain/search/search-query.js";
import type { SessionStatus } from "../../domain/session/session.js";
import type { ExportFormat } from "../export/export-formats.js";

/** All parameters, each of one meaning wherever it is taken. Their schemas are in `parameters.ts`. */
export interface ParameterValues {
  readonly sessionId: string;
  /** The tenant of the session. Default is `"default"` where a session is named, else all tenants. */
  readonly tenantId: string;
  /** The session to compare with. */
  readonly otherSessionId: string;
  /** Its tenant. Default is `"default"`. */
  readonly otherTenantId: string;
  /** A sub-agent, for its own conversation. Default is the main agent. */
  readonly agentId: string;
  /** `""` for sessions without a user. */
  readonly userId: string;
  readonly status: SessionStatus;
  /** The name or the key of one of several sources. */
  readonly source: string;
  /**
   * In the session list a text in the id, the user or the title, whatever its case. In a search a text, a text in double quotes for exactly
   * that case, or `re:` and a regular expression of RE2's syntax.
   */
  readonly q: string;
  /** Selection of sessions: `tenant:acme tool:search error cost:>1 after:yesterday`. Default is all. */
  readonly filter: string;
  /** By whose days dates are read: a name of the IANA database, such as `Europe/Berlin`. Default is the service's. */
  readonly zone: string;
  /** The first instant of a range, as `after:` takes it in a filter: `2026-11-01`, `7d`, `yesterday`. Default is the first one recorded. */
  readonly from: string;
  /** The first instant after a range. Default is now. */
  readonly to: string;
  /** By what rows are made. Default is `day`. */
  readonly by: Grouping;
  /** Stacked parts of the rows. Default is `model`. */
  readonly stack: Stacking;
  /** Kinds of texts to search. Default is all but `other`. */
  readonly in: readonly ContentKind[];
  /** A model call, by the id of an envelope of it, or of a step that it requested. */
  readonly call: string;
  /** The `index` of a message that the call saw. */
  readonly message: number;
  /** The `item` of that message, where it has one. */
  readonly item: number;
  /**
   * Maximum number of elements in the page: from 1 to 1000. Default is 100 for a context, a comparison and a search, otherwise the
   * complete list.
   */
  readonly limit: number;
  /** A file: its path relative to its project, or an absolute path. Sessions' paths are compared by their ends. */
  readonly file: string;
  /** Lines of that file. Default is the file as the sessions' last edit left it. */
  readonly text: string;
  /** The lines directly before and after them. */
  readonly before: string;
  readonly after: string;
  /** The number of the first of these lines, or the first requested line, from 1. Default is 1. */
  readonly line: number;
  /** The last requested line. Default is `line`. */
  readonly toLine: number;
  /** The first row of the steps of two sessions that is wanted, from 0. Default is 0. */
  readonly row: number;
  /** The `nextCursor` of the page before. */
  readonly cursor: string;
  /**
   * The `syncToken` of the last answer, `""` for the first one. The answer's `from` is the number of the client's records that begin the
   * list; the records after them follow. Not together with `limit` or `cursor`.
   */
  readonly since: string;
  /** A model and who served it, as recorded. Default of the provider is the vendor whose model it is. */
  readonly model: string;
  readonly provider: string;
  /** The instant of a call, in ISO 8601. Default is now. */
  readonly at: string;
  /** Number of tokens that a call read. Default is 0. */
  readonly contextTokens: number;
  /** File format of an export. */
  readonly format: ExportFormat;
  /** `strict` removes every finding except those in `keep`; `none` searches nothing. Default is `strict`. */
  readonly redact: "strict" | "none";
  /**
   * Findings that stay, by the ids of the review: `api-key-3`, and `home-folder-1..40` for a range of numbers. Default is an empty list.
   */
  readonly keep: readonly string[];
  /** Revision of the review whose findings are retained. An answer for another review is refused. */
  readonly revision: string;
  /**
   * `"due"` for sources whose tool deletes sessions by itself; of a session that is exported a part: what failed, a turn by its number, a
   * sub-agent, a step by the id of an envelope of it. Default is all.
   */
  readonly only: "due" | "errors" | `${"turn" | "agent" | "step"}:${string}`;
}

export type ParameterName = keyof ParameterValues;
