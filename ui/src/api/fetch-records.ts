import type { ConversationOutline } from "../../../src/domain/conversation/conversation-outline.js";
import { isJsonObject, type JsonObject, textField } from "../../../src/domain/json/json.js";
import { ApiError } from "./api-problem.js";
import type { AnswerAt, EndpointPath, QueryAt } from "./endpoint-address.js";
import { RecordSplitter } from "./record-splitter.js";
import { type RequestOptions, request } from "./request.js";

/** Lists of the API, with the members that contain their records. */
const MEMBERS = {
  "/sessions": "sessions",
  "/sessions/{sessionId}/trace": "envelopes",
  "/sessions/{sessionId}/messages": "messages",
  "/sessions/{sessionId}/orchestration": "agents",
} as const satisfies { readonly [Path in EndpointPath]?: keyof AnswerAt<Path> };

export type ListPath = keyof typeof MEMBERS;

export type UnreadableRecord = NonNullable<AnswerAt<ListPath>["warnings"]>[number];

/** Existing records that are not sent again: old and new position, and the first `sequence`. */
export type RecordMove = NonNullable<AnswerAt<"/sessions/{sessionId}/trace">["moved"]>;

export interface FetchedList {
  readonly etag: string | undefined;
  readonly nextCursor: string | undefined;
  /** Of a followed list: number of existing records, and token for the next request. */
  readonly from: number;
  readonly syncToken: string | undefined;
  readonly moved: RecordMove | undefined;
  readonly warnings: readonly UnreadableRecord[];
  readonly outline: ConversationOutline | undefined;
  /** Of a list of sessions, if available: all, and those that are not read yet. */
  readonly total: number | undefined;
  readonly unread: number | undefined;
  /** Omitted sessions: the service cannot decide whether the filter matches them. */
  readonly undecided: number | undefined;
}

export interface FetchOptions extends RequestOptions {
  /** Called after each piece. Reading continues when its promise resolves. */
  readonly pause?: (() => Promise<void> | undefined) | undefined;
}

/**
 * Passes each record on, as JSON text, as soon as it has arrived.
 * @returns `undefined` if nothing has changed since the entity tag in the options
 * @throws ApiError
 */
export async function fetchRecords<Path extends ListPath>(
  base: string,
  path: Path,
  query: QueryAt<Path>,
  onRecord: (text: string) => void,
  { signal, etag, pause }: FetchOptions = {},
): Promise<FetchedList | undefined> {
  const response = await request(base, path, query, { signal, etag });
  if (response.status === 304) return undefined;
  const member = MEMBERS[path];
  const splitter = new RecordSplitter(member, onRecord);
  try {
    const reader = response.body!.getReader();
    let began = performance.now();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      for (let at = 0; at < piece.value.length; at += STEP) {
        splitter.push(piece.value.subarray(at, at + STEP));
        const paused = pause?.();
        if (paused === undefined && performance.now() - began < SLICE_MS) continue;
        await (paused ?? nextTask());
        began = performance.now();
      }
    }
    return describe(splitter.finish(), response.headers.get("etag") ?? undefined, member);
  } catch (error) {
    if (signal?.aborted || error instanceof ApiError) throw error;
    throw new ApiError({ kind: "broken", status: response.status, detail: String(error) }, { cause: error });
  }
}

/** Yields to the event loop this often, because a stream with data ready would keep the worker from receiving messages. */
const SLICE_MS = 8;

const STEP = 64 * 1024;

/** Resolves in a separate task, without the delay that browsers add to nested timers. */
export function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

function describe(rest: unknown, etag: string | undefined, member: string): FetchedList {
  if (!isJsonObject(rest) || !Array.isArray(rest[member])) {
    throw new ApiError({ kind: "broken", status: 200, detail: `the answer has no list "${member}"` });
  }
  return {
    etag,
    nextCursor: textField(rest, "nextCursor"),
    from: countField(rest, "from") ?? 0,
    syncToken: textField(rest, "syncToken"),
    moved: readMoved(rest.moved),
    outline: readOutline(rest.outline),
    total: countField(rest, "total"),
    unread: countField(rest, "unread"),
    undecided: countField(rest, "undecided"),
    warnings: Array.isArray(rest.warnings) ? rest.warnings.filter(isJsonObject).map(readWarning) : [],
  };
}

function readOutline(outline: unknown): ConversationOutline | undefined {
  const isOutline = isJsonObject(outline) && Array.isArray(outline.calls) && Array.isArray(outline.removals);
  return isOutline ? (outline as unknown as ConversationOutline) : undefined;
}

function readMoved(moved: unknown): RecordMove | undefined {
  if (!isJsonObject(moved)) return undefined;
  const [from, count, to, sequence] = ["from", "count", "to", "sequence"].map(
    (name) => countField(moved, name) ?? 0,
  ) as [number, number, number, number];
  return { from, count, to, sequence };
}

function countField(rest: JsonObject, name: string): number | undefined {
  const value = rest[name];
  return typeof value === "number" ? value : undefined;
}

function readWarning(warning: JsonObject): UnreadableRecord {
  return {
    file: textField(warning, "file") ?? "",
    line: typeof warning.line === "number" ? warning.line : 0,
    reason: textField(warning, "reason") ?? "",
  };
}
