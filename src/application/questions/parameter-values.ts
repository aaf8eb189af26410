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
  /** Which sessions are meant: `tenant:acme tool:search error cost:>1 after:yesterday`. Default is all. */
  readonly filter: string;
  /** By whose days dates are read: a name of the IANA database, such as `Europe/Berlin`. Default is the service's. */
  readonly zone: string;
  /** The first instant of a range, as `after:` takes it in a filter: `2026-11-01`, `7d`, `yesterday`. Default is the first one recorded. */
  readonly from: string;
  /** The first instant behind a range. Default is now. */
  readonly to: string;
  /** By what rows are made. Default is `day`. */
  readonly by: Grouping;
  /** What rows are made up of. Default is `model`. */
  readonly stack: Stacking;
  /** Which texts are looked at. Default is all but `other`. */
  readonly in: readonly ContentKind[];
  /** A model call, by the id of an envelope of it, or of a step that it asked for. */
  readonly call: string;
  /** The `index` of a message that the call saw. */
  readonly message: number;
  /** The `item` of that message, where it has one. */
  readonly item: number;
  /** How many elements the page has at most: from 1 to 1000. Default is 100 of a context, of a comparison and of a search, else the whole list. */
  readonly limit: number;
  /** A file: its path from the top of its project, or a whole path. Sessions' paths are compared by their ends. */
  readonly file: string;
  /** Lines of that file. Default is the file as the sessions' last edit left it. */
  readonly text: string;
  /** The lines right before and right behind them. */
  readonly before: string;
  readonly after: string;
  /** The number of the first of these lines, or the first line that is meant, from 1. Default is 1. */
  readonly line: number;
  /** The last line that is meant. Default is `line`. */
  readonly toLine: number;
  /** The first row of the steps of two sessions that is wanted, from 0. Default is 0. */
  readonly row: number;
  /** The `nextCursor` of the page before. */
  readonly cursor: string;
  /**
   * The `syncToken` of the last answer, `""` for a first one. The answer says in `from` how many of the records that are known begin
   * the list, and holds those behind them. Not together with `limit` or `cursor`.
   */
  readonly since: string;
  /** A model and who served it, as recorded. Default of the provider is the vendor whose model it is. */
  readonly model: string;
  readonly provider: string;
  /** The instant of a call, in ISO 8601. Default is now. */
  readonly at: string;
  /** How many tokens a call read. Default is 0. */
  readonly contextTokens: number;
  /** What kind of file an export is. */
  readonly format: ExportFormat;
  /** `strict` removes what is found, but for what is kept; `none` looks for nothing. Default is `strict`. */
  readonly redact: "strict" | "none";
  /** Findings that stay, by the ids of the review: `api-key-3`, and `home-folder-1..40` for all from the first number to the last. Default is none. */
  readonly keep: readonly string[];
  /** Of the review whose findings are kept: an answer of another one is refused. */
  readonly revision: string;
  /**
   * `"due"` for sources whose tool deletes sessions by itself; of a session that is exported a part: what failed, a turn by its number, a
   * sub-agent, a step by the id of an envelope of it. Default is all.
   */
  readonly only: "due" | "errors" | `${"turn" | "agent" | "step"}:${string}`;
}

export type ParameterName = keyof ParameterValues;
