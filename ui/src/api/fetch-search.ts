import {
  isJsonObject,
  type JsonObject,
  labelField,
  objectField,
  textField,
} from "../../../src/domain/json/json.js";
import type { SearchHit } from "../../../src/domain/search/search-hit.js";
import { CONTENT_KINDS } from "../../../src/domain/search/search-query.js";
import { ApiError } from "./api-problem.js";
import type { AnswerAt, QueryAt } from "./endpoint-address.js";
import { request } from "./request.js";

export interface SearchedExtent {
  readonly sessions: number;
  readonly bytes: number | undefined;
}

export interface SearchAnswerPart {
  readonly searched: SearchedExtent;
  readonly total: SearchedExtent;
  readonly notes: readonly string[];
  /** `undefined` when everything was searched. */
  readonly nextCursor: string | undefined;
}

export interface SearchPart extends SearchAnswerPart {
  readonly hits: readonly SearchHit[];
}

type SessionWithHits = AnswerAt<"/search/sessions">["sessions"][number];

/** @see `countIs` of the API */
export type CountIs = SessionWithHits["countIs"];

export type SessionSearchHit = Pick<
  SessionWithHits,
  "tenantId" | "sessionId" | "count" | "countIs" | "hits"
> & {
  readonly title: string | undefined;
  readonly lastActive: string | undefined;
};

export interface SessionSearchPart extends SearchAnswerPart {
  readonly sessions: readonly SessionSearchHit[];
}

/** @throws ApiError */
export async function fetchSearch(
  base: string,
  query: QueryAt<"/search">,
  signal: AbortSignal,
): Promise<SearchPart> {
  return ask(base, "/search", query, signal, (answer) => ({
    hits: listOf(answer, "hits").map(readHit),
    ...readPart(answer),
  }));
}

/** @throws ApiError */
export async function fetchSessionSearch(
  base: string,
  query: QueryAt<"/search/sessions">,
  signal: AbortSignal,
): Promise<SessionSearchPart> {
  return ask(base, "/search/sessions", query, signal, (answer) => ({
    sessions: listOf(answer, "sessions").map(readSession),
    ...readPart(answer),
  }));
}

async function ask<Path extends "/search" | "/search/sessions", Part>(
  base: string,
  path: Path,
  query: QueryAt<Path>,
  signal: AbortSignal,
  read: (answer: unknown) => Part,
): Promise<Part> {
  const response = await request(base, path, query, { signal });
  try {
    return read(await response.json());
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError({ kind: "broken", status: response.status, detail: String(error) }, { cause: error });
  }
}

function listOf(answer: unknown, name: string): JsonObject[] {
  const list = isJsonObject(answer) ? answer[name] : undefined;
  if (!Array.isArray(list)) throw new TypeError(`the answer has no list "${name}"`);
  return list.filter(isJsonObject);
}

function readPart(answer: unknown): SearchAnswerPart {
  const part = isJsonObject(answer) ? answer : {};
  return {
    searched: readExtent(objectField(part, "searched")),
    total: readExtent(objectField(part, "total")),
    notes: Array.isArray(part.notes) ? part.notes.map(String) : [],
    nextCursor: textField(part, "nextCursor"),
  };
}

function readSession(session: JsonObject): SessionSearchHit {
  return {
    tenantId: labelField(session, "tenantId") ?? "",
    sessionId: labelField(session, "sessionId") ?? "",
    title: labelField(session, "title"),
    lastActive: textField(session, "lastActive"),
    count: Number(session.count) || 1,
    countIs: COUNTS.find((kindOfCount) => kindOfCount === session.countIs) ?? "least",
    hits: Array.isArray(session.hits) ? session.hits.filter(isJsonObject).map(readHit) : [],
  };
}

const COUNTS = ["exact", "about", "least"] as const satisfies readonly CountIs[];

function readHit(hit: JsonObject): SearchHit {
  const kind = CONTENT_KINDS.find((kindOfCount) => kindOfCount === hit.in) ?? "other";
  const snippet = objectField(hit, "snippet");
  const text = textField(snippet, "text") ?? "";
  const { sequence, messageIndex } = hit;
  return {
    tenantId: labelField(hit, "tenantId") ?? "",
    sessionId: labelField(hit, "sessionId") ?? "",
    in: kind,
    ...(typeof sequence === "number" && { sequence }),
    ...(typeof messageIndex === "number" && { messageIndex }),
    ...textsOf(hit, ["timestamp", "agentId", "type", "toolName", "role"]),
    matches: Number(hit.matches) || 1,
    snippet: { text, start: Number(snippet.start) || 0, end: Number(snippet.end) || 0 },
  };
}

function textsOf<Name extends string>(hit: JsonObject, names: readonly Name[]): { [name in Name]?: string } {
  const entries = names.flatMap((name) => {
    const text = textField(hit, name);
    return text === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(entries);
}

function readExtent(extent: JsonObject): SearchedExtent {
  return {
    sessions: Number(extent.sessions) || 0,
    bytes: typeof extent.bytes === "number" ? extent.bytes : undefined,
  };
}
