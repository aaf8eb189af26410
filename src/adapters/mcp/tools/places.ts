import { InvalidRequestError, SourceChangedError } from "../../../application/errors.js";
import type { Window } from "../../../application/listing/window.js";
import { changed, type JsonList, recordsIn } from "../../../application/questions/json-list.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import { isJsonObject } from "../../../domain/json/json.js";
import type { SessionKey } from "../../../domain/session/session-key.js";
import type { Handles, RequestedSession } from "./handles.js";
import type { McpCall } from "./tool.js";

type Traces = Pick<InspectorUseCases, "getSessionTrace">;

export class Places {
  readonly #find: (window: Window) => Promise<JsonList>;
  readonly #named: RequestedSession;
  readonly #handles: Handles;

  constructor({ getSessionTrace }: Traces, named: RequestedSession, { handles, signal }: McpCall) {
    this.#find = async (window) =>
      changed(await getSessionTrace.execute({ ...named.key, window }, { signal }));
    this.#named = named;
    this.#handles = handles;
  }

  /**
   * A trace has no index by ids: it is read up to the step, and only batches that contain the id are parsed.
   * @throws InvalidRequestError if the trace has no such step
   */
  async sequenceAt(at: string): Promise<number> {
    const id = this.#idNamed(at);
    if (id === undefined) return Number(at);
    const { texts, ...list } = await this.#find({});
    const wanted = Buffer.from(JSON.stringify(id));
    for await (const envelope of recordsIn({ ...list, texts: holding(texts, wanted) })) {
      if (isJsonObject(envelope) && envelope.id === id) return Number(envelope.sequence);
    }
    throw new InvalidRequestError("at", NO_STEP);
  }

  /** @throws InvalidRequestError if the trace has no such step */
  async idAt(at: string): Promise<string> {
    const id = this.#idNamed(at);
    if (id !== undefined) return id;
    const sequence = Number(at);
    for await (const envelope of recordsIn(await this.#find({ from: sequence, limit: 1 }))) {
      if (isJsonObject(envelope) && envelope.sequence === sequence) return String(envelope.id);
    }
    throw new InvalidRequestError("at", NO_STEP);
  }

  #idNamed(at: string): string | undefined {
    if (/^\d+$/.test(at)) return undefined;
    const id = this.#handles.stepOf(this.#named, at);
    if (id !== undefined) return id;
    throw new InvalidRequestError(
      "at",
      "is no step of this session that an answer named lately. Ask for it again.",
    );
  }
}

const NO_STEP = "is no step of this session. search, session_summary and trace_slice name steps.";

async function* holding(texts: AsyncIterable<Uint8Array>, wanted: Buffer): AsyncGenerator<Uint8Array, void> {
  for await (const text of texts) {
    if (Buffer.from(text.buffer, text.byteOffset, text.length).includes(wanted)) yield text;
  }
}

/**
 * Returns also the revision of each session during the query.
 * @throws SourceChangedError if a session changed meanwhile
 */
export async function atRevision<Value>(
  useCases: Traces,
  keys: readonly SessionKey[],
  call: McpCall,
  ask: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly revisions: readonly (string | undefined)[] }> {
  const revisionsNow = () => Promise.all(keys.map((key) => revisionOf(useCases, key, call)));
  const revisions = await revisionsNow();
  const value = await ask();
  const after = await revisionsNow();
  if (after.some((revision, i) => revision !== revisions[i])) {
    throw new SourceChangedError("A session changed during the request.");
  }
  return { value, revisions };
}

export async function revisionOf(
  { getSessionTrace }: Traces,
  key: SessionKey,
  { signal }: McpCall,
): Promise<string | undefined> {
  return changed(await getSessionTrace.execute({ ...key, window: { limit: 1 } }, { signal })).revision;
}
