import { isJsonObject } from "../../domain/json/json.js";
import type { RecordBatch } from "../../domain/json/record-batch.js";
import { SourceContractError } from "../errors.js";
import type { SessionPage } from "../ports/inspector-data-source.js";
import {
  LONGEST_PLACE,
  type RecordSearch,
  type RecordSearchPage,
  type SearchCandidate,
} from "../ports/record-search.js";
import type {
  MessageStream,
  ReadOptions,
  RecordSelection,
  RecordStream,
  TraceStream,
} from "../ports/record-stream.js";
import type { OrchestrationLog, OrchestrationState, SessionSnapshot } from "../ports/session-snapshot.js";
import { runInSlices, yieldToEventLoop } from "../threads/slices.js";
import { listedItems } from "./listed-items.js";
import { type CallSource, once, unlimited } from "./source-limit.js";

/**
 * Validates a source's session where it enters the application: the shape of all values, and the number of records. A method that throws
 * synchronously becomes one that rejects.
 */
export function checkedSnapshot(session: SessionSnapshot, parts: CheckedParts = {}): SessionSnapshot {
  return session instanceof CheckedSnapshot ? session : new CheckedSnapshot(session, parts);
}

interface CheckedParts {
  readonly call?: CallSource | undefined;
  readonly loadsAhead?: boolean | undefined;
  readonly state?: (() => Promise<OrchestrationState | null>) | undefined;
}

/** Requests each part once, except conversations of sub-agents, because there may be many. */
class CheckedSnapshot implements SessionSnapshot {
  readonly revision: string | undefined;
  readonly trace: () => Promise<TraceStream>;
  readonly orchestration: () => Promise<OrchestrationLog>;
  readonly begin: SessionSnapshot["begin"];
  readonly #session: SessionSnapshot;
  readonly #call: CallSource;
  readonly #ownMessages: () => Promise<MessageStream>;

  constructor(session: SessionSnapshot, { call = unlimited, loadsAhead = false, state }: CheckedParts) {
    this.revision = checkedRevision(session.revision);
    this.#session = session;
    this.#call = call;
    this.trace = once(async () => checkedTrace(await call(async () => session.trace())));
    this.#ownMessages = once(async () => checkedMessages(await call(async () => session.messages())));
    const log = once(() => call(async () => session.orchestration()));
    const stateOfLog = async () => {
      const opened = await log();
      return call(async () => opened.state());
    };
    const stateOf = once(async () => checkedState(await (state ?? stateOfLog)()));
    this.orchestration = once(async () => {
      const { events } = await log();
      return { events: checkedStream(events, "orchestration().events"), state: stateOf };
    });
    if (!loadsAhead) return;
    const ways = { trace: this.trace, messages: this.#ownMessages, orchestration: log, state: stateOf };
    this.begin = (parts) => {
      for (const part of parts) ways[part]().catch(() => undefined);
    };
  }

  async messages(agentId?: string): Promise<MessageStream> {
    if (agentId === undefined) return this.#ownMessages();
    return checkedMessages(await this.#call(async () => this.#session.messages(agentId)));
  }

  get analyse(): SessionSnapshot["analyse"] {
    const session = this.#session;
    return session.analyse && (async (thread) => session.analyse!(thread));
  }
}

/** @throws SourceContractError for a value of another kind: as an entity tag it would never change */
export function checkedRevision(revision: string | undefined): string | undefined {
  const isOne = revision === undefined || typeof revision === "string";
  check(isOne, "revision is neither a string nor undefined", revision);
  return revision;
}

/**
 * @param name source of the list
 * @throws SourceContractError for a value that is not an array, and for an array of promises
 */
export function checkedList<T extends readonly unknown[]>(list: T, name: string): T {
  check(Array.isArray(list), `${name} gives no array`, list);
  const promises = list.filter((element) => element instanceof Promise);
  check(promises.length === 0, `${name} gives promises, not what they promise`, ...promises);
  return list;
}

/** @throws SourceContractError for an invalid page of sessions, or counts that are not numbers */
export async function checkedPage(
  { items, total, unread, warnings = [] }: SessionPage,
  options?: ReadOptions,
): Promise<SessionPage> {
  const isCount = (count: unknown) =>
    count === undefined || (Number.isSafeInteger(count) && Number(count) >= 0);
  check(
    isCount(total) && isCount(unread),
    "findSessions counts sessions by what is no number",
    total,
    unread,
  );
  check(Array.isArray(warnings), "findSessions gives warnings that are no array", warnings);
  const steps = listedItems(checkedList(items, "findSessions"), "findSessions");
  const listed = await runInSlices(steps, options?.signal);
  return { items: listed.items, total, unread, warnings: [...warnings, ...listed.warnings] };
}

/** @throws SourceContractError for what is neither a state nor nothing */
function checkedState(state: OrchestrationState | null): OrchestrationState | null {
  if (state === null || state === undefined) return null;
  const { snapshot, warnings = [] } = state;
  const isState = isJsonObject(snapshot) && isJsonObject(snapshot.agents) && Array.isArray(warnings);
  check(isState, "the orchestration state is no snapshot with agents and warnings", snapshot, warnings);
  return { snapshot, warnings };
}

/** @throws SourceContractError for an invalid page of candidates, and for a page that does not advance */
export function checkedSearchPage(page: RecordSearchPage, { after }: RecordSearch): RecordSearchPage {
  const { next, searched, total, notes = [] } = page;
  const candidates = checkedList(page.candidates, "searchRecords");
  const isPage =
    candidates.every(isCandidate) && isJsonObject(searched) && isJsonObject(total) && Array.isArray(notes);
  check(isPage, "searchRecords gives no candidates with their places, or no extents", page);
  check(next === undefined || isPlace(next), "searchRecords gives a next that is no text", next);
  check(next === undefined || next !== after, "searchRecords does not get on: next is what came as after");
  return page;
}

function isCandidate({ tenantId, sessionId, place, before, matches, bytes }: SearchCandidate): boolean {
  const isNamed = typeof tenantId === "string" && typeof sessionId === "string";
  const isCounted = matches === undefined || (Number.isSafeInteger(matches) && matches >= 1);
  const isMeasured = bytes === undefined || (Number.isFinite(bytes) && bytes >= 0);
  return isNamed && isCounted && isMeasured && isPlace(place) && isJsonObject(before);
}

function isPlace(place: unknown): boolean {
  return typeof place === "string" && place.length <= LONGEST_PLACE;
}

function checkedTrace(trace: TraceStream): TraceStream {
  const { keys } = trace;
  const hasKeys = isJsonObject(keys) && isJsonObject(keys.traces) && Array.isArray(keys.traceIds);
  check(hasKeys, "trace() has no keys", keys, trace.size, trace.warnings);
  const stream = checkedStream(trace, "trace()");
  const sizes = [keys.size, keys.traces.length, keys.sequences.length, keys.instants.length];
  check(
    sizes.every((size) => size === stream.size),
    "trace() has keys of another size",
  );
  const { messagesOf } = trace;
  if (messagesOf === undefined) return { ...stream, keys };
  return {
    ...stream,
    keys,
    async messagesOf(positions, options) {
      const messages = await messagesOf.call(trace, positions, options);
      const isComplete = messages instanceof Int32Array && messages.length === positions.length;
      check(isComplete, "messagesOf() does not give a number for each position");
      return messages;
    },
  };
}

function checkedMessages(messages: MessageStream): MessageStream {
  const { outline } = messages;
  const stream = checkedStream(messages, "messages()");
  if (outline === undefined) return stream;
  const isOutline = isJsonObject(outline) && Array.isArray(outline.calls) && Array.isArray(outline.removals);
  check(isOutline, "messages() has an outline without calls and removals", outline);
  return { ...stream, outline };
}

function checkedStream(stream: RecordStream, name: string): RecordStream {
  const { size, warnings } = stream;
  const isStream = Number.isSafeInteger(size) && size >= 0 && Array.isArray(warnings);
  check(isStream, `${name} is no stream with a size and warnings`, stream, size, warnings);
  return {
    size,
    warnings,
    read: (selection, options) => checkedBatches(stream, name, selection, options),
    ...(stream.fingerprintAt === undefined
      ? {}
      : { fingerprintAt: (at: number) => checkedFingerprint(stream, name, at) }),
  };
}

function checkedFingerprint(stream: RecordStream, name: string, position: number): number {
  const fingerprint = stream.fingerprintAt?.(position);
  if (Number.isFinite(fingerprint)) return fingerprint!;
  return fail(`${name} gives a fingerprint that is no number`, fingerprint);
}

async function* checkedBatches(
  stream: RecordStream,
  name: string,
  selection: RecordSelection,
  options: ReadOptions = {},
): AsyncGenerator<RecordBatch, void> {
  const wanted = Math.max(0, selection.to - selection.from);
  let total = 0;
  // Awaited, because an async function may stand for a generator: its rejection is then the failure.
  for await (const batch of await stream.read(selection, options)) {
    checkBatch(batch, name);
    total += batch.size;
    check(total <= wanted, `${name} gives more than the ${wanted} requested records`);
    if (batch.size > 0) yield batch;
    else await pause(options); // A stream of empty batches would never release the event loop.
  }
  check(total === wanted, `${name} gives ${total} of the ${wanted} requested records`);
}

async function pause({ signal }: ReadOptions): Promise<void> {
  await yieldToEventLoop();
  signal?.throwIfAborted();
}

/** Records follow one another, with room for a comma between two, and fill the text. */
function checkBatch(batch: RecordBatch, name: string): void {
  const { size, text } = batch;
  const isBatch = Number.isSafeInteger(size) && size >= 0 && text instanceof Uint8Array;
  check(isBatch, `${name} gives a batch without a size and a text`, size, text);
  let end = -1;
  for (let i = 0; i < size; i++) {
    const start = batch.start(i);
    const isBehind = i === 0 ? start === 0 : start > end;
    end = batch.end(i);
    if (!(isBehind && end > start))
      fail(`${name} gives a batch whose records do not follow one another`, start, end);
  }
  check(size === 0 || end === text.length, `${name} gives a batch whose records do not end with its text`);
}

function check(isSo: boolean, problem: string, ...details: readonly unknown[]): asserts isSo {
  if (!isSo) fail(problem, ...details);
}

/** Nobody awaits a promise in a wrong place: its rejection would end the process. */
function fail(problem: string, ...details: readonly unknown[]): never {
  for (const value of details) if (value instanceof Promise) value.catch(() => undefined);
  throw new SourceContractError(`The data source breaks its contract: ${problem}.`);
}
