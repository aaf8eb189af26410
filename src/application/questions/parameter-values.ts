import type { Grouping, Stacking } from "../../domain/overview/overview.js";
import type { ContentKind } from "../../domain/search/search-query.js";
import type { SessionStatus } from "../../domain/session/session.js";
import type { ExportFormat } from "../export/export-formats.js";

/** All parameters: each name has one meaning. Their schemas are in `parameters.ts`. */
export interface ParameterValues {
  readonly sessionId: string;
  /** Default is `"default"` for a request with a session, otherwise all tenants. */
  readonly tenantId: string;
  readonly otherSessionId: string;
  readonly otherTenantId: string;
  /** A sub-agent, for its own conversation. Default is the main agent. */
  readonly agentId: string;
  /** `""` for sessions without a user. */
  readonly userId: string;
  readonly status: SessionStatus;
  /** The name or the key of one of several sources. */
  readonly source: string;
  /**
   * In the session list a text in the id, user or title, in any case. In a search a text, a text in double quotes for that exact case, or
   * `re:` and a regular expression of RE2's syntax.
   */
  readonly q: string;
  /** Selection of sessions: `tenant:acme tool:search error cost:>1 after:yesterday`. Default is all. */
  readonly filter: string;
  /** Time zone of dates, by its IANA name, such as `Europe/Berlin`. Default is the service's. */
  readonly zone: string;
  /** In the syntax of `after:` in a filter: `2026-11-01`, `7d`, `yesterday`. Default is the first recorded instant. */
  readonly from: string;
  /** Exclusive. Default is now. */
  readonly to: string;
  /** Default is `day`. */
  readonly by: Grouping;
  /** Default is `model`. */
  readonly stack: Stacking;
  /** Kinds of texts to search. Default is all but `other`. */
  readonly in: readonly ContentKind[];
  /** A model call, by the id of an envelope of it, or of a step that it requested. */
  readonly call: string;
  readonly message: number;
  /** The `item` of that message, if it has one. */
  readonly item: number;
  /** From 1 to 1000. Default is 100 for a context, a comparison and a search, otherwise the complete list. */
  readonly limit: number;
  /** Relative to its project, or absolute. Sessions' paths are compared by their ends. */
  readonly file: string;
  /** Lines of that file. Default is the file after the sessions' last edit. */
  readonly text: string;
  readonly before: string;
  readonly after: string;
  /** Number of the first line, from 1. Default is 1. */
  readonly line: number;
  /** Default is `line`. */
  readonly toLine: number;
  /** From 0. Default is 0. */
  readonly row: number;
  readonly cursor: string;
  /**
   * The `syncToken` of the last answer, `""` for the first one. The answer contains only records after the first `from` ones of the
   * client. Not together with `limit` or `cursor`.
   */
  readonly since: string;
  /** As recorded. Default of the provider is the model's vendor. */
  readonly model: string;
  readonly provider: string;
  /** The instant of a call, in ISO 8601. Default is now. */
  readonly at: string;
  /** Default is 0. */
  readonly contextTokens: number;
  readonly format: ExportFormat;
  /** `strict` removes all findings but those in `keep`; `none` examines nothing. Default is `strict`. */
  readonly redact: "strict" | "none";
  /** Findings that stay, by their ids in the review: `api-key-3`, or `home-folder-1..40` for a range. Default is an empty list. */
  readonly keep: readonly string[];
  /** Revision of the review with these findings: another one is refused. */
  readonly revision: string;
  /**
   * `"due"` for sources whose tool deletes sessions by itself; otherwise a part of an exported session: failures, a turn by its number, a
   * sub-agent, a step by an envelope's id. Default is all.
   */
  readonly only: "due" | "errors" | `${"turn" | "agent" | "step"}:${string}`;
}

export type ParameterName = keyof ParameterValues;
