import { isJsonObject, type JsonObject, textField } from "../../../src/domain/json.js";
import { ApiError, readProblem } from "./api-problem.js";
import { RecordSplitter } from "./record-splitter.js";

/** A record that the service could not read. */
export interface RecordWarning {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

export interface FetchedList {
  readonly etag: string | undefined;
  readonly nextCursor: string | undefined;
  readonly warnings: readonly RecordWarning[];
}

export interface FetchOptions {
  readonly signal?: AbortSignal;
  /** Of what is known: the answer `undefined` says that nothing has changed since. */
  readonly etag?: string | undefined;
  /** Asked after each piece: the rest is read when what it gives has come. */
  readonly hold?: (() => Promise<void> | undefined) | undefined;
}

/**
 * Gets a list and hands on each record, as text, as soon as it is there.
 *
 * @param member the member of the answer that holds the records
 * @throws ApiError
 */
export async function fetchRecords(
  address: string,
  member: string,
  onRecord: (text: string) => void,
  { signal, etag, hold }: FetchOptions = {},
): Promise<FetchedList | undefined> {
  const response = await request(address, { signal, etag });
  if (response.status === 304) return undefined;
  if (!response.ok) throw new ApiError(await readProblem(response));
  const splitter = new RecordSplitter(member, onRecord);
  try {
    const reader = response.body!.getReader();
    let began = performance.now();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      for (let at = 0; at < piece.value.length; at += STEP) {
        splitter.push(piece.value.subarray(at, at + STEP));
        const held = hold?.();
        if (held === undefined && performance.now() - began < SLICE_MS) continue;
        await (held ?? nextTask());
        began = performance.now();
      }
    }
    return describe(splitter.finish(), response.headers.get("etag") ?? undefined, member);
  } catch (error) {
    if (signal?.aborted || error instanceof ApiError) throw error;
    throw new ApiError({ kind: "broken", status: response.status, detail: String(error) }, { cause: error });
  }
}

/** A stream that has data ready would keep the engine from hearing the page: other tasks come in between. */
const SLICE_MS = 8;

/** How many bytes are read between two looks at the clock. */
const STEP = 64 * 1024;

/** Without the delay that nested timers get. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

async function request(
  address: string,
  { signal, etag }: { signal: AbortSignal | undefined; etag: string | undefined },
): Promise<Response> {
  try {
    return await fetch(address, {
      // The worker keeps what it needs; the browser's cache would only keep histories on disk.
      cache: "no-store",
      headers: { accept: "application/json", ...(etag === undefined ? {} : { "if-none-match": etag }) },
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({ kind: "unreachable", status: undefined, detail: String(error) }, { cause: error });
  }
}

function describe(rest: unknown, etag: string | undefined, member: string): FetchedList {
  if (!isJsonObject(rest) || !Array.isArray(rest[member])) {
    throw new ApiError({ kind: "broken", status: 200, detail: `the answer has no list "${member}"` });
  }
  return {
    etag,
    nextCursor: textField(rest, "nextCursor"),
    warnings: Array.isArray(rest.warnings) ? rest.warnings.filter(isJsonObject).map(readWarning) : [],
  };
}

function readWarning(warning: JsonObject): RecordWarning {
  return {
    file: textField(warning, "file") ?? "",
    line: typeof warning.line === "number" ? warning.line : 0,
    reason: textField(warning, "reason") ?? "",
  };
}
