import type { FileEdit } from "../../domain/changes/file-edits.js";
import { EditsOfNames, type RecordedEdit } from "../../domain/changes/recorded-edits.js";
import { recordIn } from "../../domain/json/json.js";
import type { ListedSession } from "../../domain/session/model-usage.js";
import { keyText, type SessionKey } from "../../domain/session/session-key.js";
import { findBytes } from "../../domain/trace/find-bytes.js";
import { CachedWhileSame } from "../cached-while-same.js";
import { identityOf } from "../listing/session-facts-reader.js";
import { type CachedEdits, type EditsOfSession, NO_CACHED_EDITS } from "../ports/cached-edits.js";
import { ownModule, type ReadingPool } from "../ports/reading-pool.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSnapshot } from "../ports/session-snapshot.js";
import { type FactsBatch, factsBatch } from "../records/context-facts.js";
import { BEGINNING, envelopeBatches } from "../records/session-records.js";
import type { TraceOrders } from "../records/trace-orders.js";
import { ThreadSession, withState } from "../threads/thread-session.js";

const MAX_CACHED = 32_000_000;

interface EditsBatch extends FactsBatch {
  readonly names: readonly string[];
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

interface EditsState {
  edits?: EditsOfNames;
  lastAt: number;
}

interface EditsReading {
  cachedEdits(session: ListedSession): readonly RecordedEdit[] | undefined;
  read(
    opened: SessionSnapshot,
    session: ListedSession,
    options: ReadOptions,
  ): Promise<readonly RecordedEdit[]>;
  end(): Promise<void>;
}

function sizeOf(edits: readonly RecordedEdit[]): number {
  return edits.reduce((sum, { edit }) => sum + 300 + (edit.original?.length ?? 0) + sizeOfChange(edit), 200);
}

function sizeOfChange({ change }: FileEdit): number {
  switch (change.is) {
    case "written":
      return change.content.length;
    case "replaced":
      return change.replacements.reduce((sum, { before, after }) => sum + before.length + after.length, 0);
    case "patched":
      return change.hunks.flatMap(({ lines }) => lines).reduce((sum, { text }) => sum + 50 + text.length, 0);
    case "deleted":
      return 0;
    default:
      return change satisfies never;
  }
}

/** Parses only envelopes that contain one of the names, and the ends of their calls. */
export const addEdits = withState(
  (): EditsState => ({ lastAt: 0 }),
  function* (state, { text, starts, ends, at, names }: EditsBatch): Generator<void, void> {
    state.edits ??= new EditsOfNames(names);
    const { edits } = state;
    const wanted = names.map((name) => (/^[ -~]*$/.test(name) && !/["\\/]/.test(name) ? name : ""));
    for (let i = 0; i < ends.length; i++) {
      const record = text.subarray(starts[i], ends[i]);
      const holds = (word: string) => word === "" || findBytes(record, encoder.encode(word), 0) !== -1;
      if (wanted.some(holds) || [...edits.open].some(holds))
        state.lastAt = edits.add(recordIn(decoder.decode(record)), at + i, state.lastAt);
      yield;
    }
  },
);

export const takeEdits = withState(
  (): EditsState => ({ lastAt: 0 }),
  // biome-ignore lint/correctness/useYield: a task is a generator
  function* (state): Generator<void, readonly RecordedEdit[]> {
    return state.edits?.edits ?? [];
  },
);

const MODULE = ownModule(import.meta.url, "session-edits");
const ADD_EDITS = { module: MODULE, name: "addEdits", steps: addEdits };
const TAKE_EDITS = { module: MODULE, name: "takeEdits", steps: takeEdits };

/** Edits of files with certain names, cached while the session's list item is unchanged. */
export class SessionEdits {
  readonly #pool: ReadingPool;
  readonly #orders: TraceOrders;
  readonly #cached = new CachedWhileSame<string, readonly RecordedEdit[]>({ maxSize: MAX_CACHED });
  readonly #stored: CachedEdits;

  constructor(pool: ReadingPool, orders: TraceOrders, cachedOnDisk: CachedEdits = NO_CACHED_EDITS) {
    this.#pool = pool;
    this.#orders = orders;
    this.#stored = cachedOnDisk;
  }

  async reading(names: readonly string[]): Promise<EditsReading> {
    const onDisk = await this.#stored.of(names);
    const isNew: EditsOfSession[] = [];
    const nameOf = (session: SessionKey) => keyText(session, names);
    return {
      cachedEdits: (session) => {
        const identity = identityOf(session);
        const cached = this.#cached.get(nameOf(session), identity);
        if (cached !== undefined) return cached;
        const edits = onDisk({ key: session, identity });
        return edits && this.#cached.keep(nameOf(session), identity, edits, sizeOf(edits));
      },
      read: async (opened, session, options) => {
        const { tenantId, sessionId } = session;
        const identity = identityOf(session);
        const edits = await this.read(opened, session, names, options);
        isNew.push({ key: { tenantId, sessionId }, identity, edits });
        return this.#cached.keep(nameOf(session), identity, edits, sizeOf(edits));
      },
      end: async () => {
        if (isNew.length > 0) await this.#stored.keep(names, isNew);
      },
    };
  }

  async read(
    session: SessionSnapshot,
    key: SessionKey,
    names: readonly string[],
    options: ReadOptions,
  ): Promise<readonly RecordedEdit[]> {
    const trace = await session.trace();
    const thread = new ThreadSession(this.#pool, options);
    try {
      let at = 0;
      for await (const { batch } of envelopeBatches(session, trace, this.#orders, key, BEGINNING, options)) {
        await thread.call(ADD_EDITS, { ...factsBatch(batch, at), names });
        at += batch.size;
      }
      return await thread.call(TAKE_EDITS, undefined);
    } finally {
      await thread.close();
    }
  }
}
