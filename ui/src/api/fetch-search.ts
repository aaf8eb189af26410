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
import type { QueryAt } from "./endpoint-address.js";
import { request } from "./request.js";

/** Sessions, and how many bytes are stored of them where that is known. */
export interface SearchedExtent {
  readonly sessions: number;
  readonly bytes: number | undefined;
}

/** A part of the answer to a search. */
export interface SearchPart {
  readonly hits: readonly SearchHit[];
  readonly searched: SearchedExtent;
  readonly total: SearchedExtent;
  readonly notes: readonly string[];
  /** `undefined` when everything was searched. */
  readonly nextCursor: string | undefined;
}

/** @throws ApiError */
export async function fetchSearch(
  base: string,
  query: QueryAt<"/search">,
  signal: AbortSignal,
): Promise<SearchPart> {
  const response = await request(base, "/search", query, { signal });
  try {
    return readAnswer(await response.json());
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError({ kind: "broken", status: response.status, detail: String(error) }, { cause: error });
  }
}

function readAnswer(answer: unknown): SearchPart {
  if (!isJsonObject(answer) || !Array.isArray(answer.hits))
    throw new TypeError('the answer has no list "hits"');
  return {
    hits: answer.hits.filter(isJsonObject).map(readHit),
    searched: readExtent(objectField(answer, "searched")),
    total: readExtent(objectField(answer, "total")),
    notes: Array.isArray(answer.notes) ? answer.notes.map(String) : [],
    nextCursor: textField(answer, "nextCursor"),
  };
}

function readHit(hit: JsonObject): SearchHit {
  const kind = CONTENT_KINDS.find((known) => known === hit.in) ?? "other";
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
