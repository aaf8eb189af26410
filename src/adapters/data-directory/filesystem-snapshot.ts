import { closeSync, fstatSync } from "node:fs";
import { SourceChangedError } from "../../application/errors.js";
import { ownModule, type ReadingPool } from "../../application/ports/reading-pool.js";
import type { ReadOptions, RecordStream, TraceStream } from "../../application/ports/record-stream.js";
import type {
  OrchestrationLog,
  OrchestrationState,
  SessionSnapshot,
} from "../../application/ports/session-snapshot.js";
import { readAllRecords } from "../../application/sources/record-streams.js";
import { runInSlices } from "../../application/threads/slices.js";
import { JsonLexer } from "../../domain/json/json-lexer.js";
import { fingerprintOfNumbers, longFingerprint } from "../../domain/text/fingerprints.js";
import type { OrchestrationSnapshot } from "../../domain/trace/orchestration.js";
import { replayInSteps } from "../../domain/trace/replay-orchestration.js";
import type { TraceKeys } from "../../domain/trace/trace-order.js";
import { keysOfEnvelopes } from "../../domain/trace/trace-sequence-merge.js";
import { openContained } from "../files/bytes/contained-files.js";
import {
  type FileIdentity,
  identify,
  identityAt,
  identityText,
  isUnchanged,
  type LookedUp,
} from "../files/bytes/file-identities.js";
import { NO_OBJECT, NOT_JSON, readPart } from "../files/bytes/line.js";
import { decodeText } from "../files/bytes/parse-line.js";
import type { FileIndex, FileIndexes, WantedRecords } from "./file-indexes.js";
import { LOOK_UP_SESSION } from "./look-up-files.js";
import { type CachedBatches, readRecords } from "./read-records.js";
import { nameInSession, type SessionFiles } from "./session-files.js";

export interface SessionReading {
  readonly root: string;
  readonly pool: ReadingPool;
  readonly indexes: FileIndexes;
  readonly batches: CachedBatches;
}

const PARTS = ["trace", "messages", "orchestration", "session", "checkpoint"] as const;
type Part = (typeof PARTS)[number];

type RecordPart = Exclude<Part, "checkpoint">;

/** About 32 bytes each, and as much again while a trace is sorted. */
const MOST_RECORDS = { records: 2_000_000, bytes: Number.POSITIVE_INFINITY };

/** Orchestration events are objects in memory during their replay. */
const MOST_EVENTS = { records: 100_000, bytes: 32 * 1024 * 1024 };

const WANTED: Readonly<Record<RecordPart, WantedRecords>> = {
  trace: { content: "envelopes", most: MOST_RECORDS },
  messages: { content: "records", most: MOST_RECORDS },
  orchestration: { content: "events", most: MOST_EVENTS },
  session: { content: "log", most: MOST_RECORDS },
};

const NO_KEYS: TraceKeys = keysOfEnvelopes([]);

const NO_RECORDS: RecordStream = { size: 0, warnings: [], fingerprintAt: () => 0, async *read() {} };

const UNKNOWN: FileIdentity = { device: Number.NaN, inode: 0, size: 0, modifiedAt: 0, changedAt: 0 };

export async function openSnapshot(
  reading: SessionReading,
  files: SessionFiles,
  options: ReadOptions,
): Promise<SessionSnapshot | undefined> {
  options.signal?.throwIfAborted();
  const request = {
    root: reading.root,
    folder: files.folder,
    names: PARTS.map((part) => nameInSession(files, part)),
  };
  // The task ends before an abort could reach it, and costs less without a signal.
  const identities = await reading.pool.run(LOOK_UP_SESSION, request);
  options.signal?.throwIfAborted();
  return identities && new FilesystemSnapshot(reading, files, identities, options);
}

class FilesystemSnapshot implements SessionSnapshot {
  readonly revision: string;
  readonly #reading: SessionReading;
  readonly #files: SessionFiles;
  readonly #lookedUp: Readonly<Record<Part, LookedUp>>;
  readonly #options: ReadOptions;

  constructor(reading: SessionReading, files: SessionFiles, identities: Float64Array, options: ReadOptions) {
    this.#reading = reading;
    this.#files = files;
    this.#options = options;
    const matches = PARTS.map((_, i) => identityAt(identities, i));
    const [trace, messages, orchestration, session, checkpoint] = matches;
    this.#lookedUp = { trace, messages, orchestration, session, checkpoint };
    this.revision = longFingerprint(matches.map(identityText).join(" "));
  }

  async trace(): Promise<TraceStream> {
    const [index, log] = await Promise.all([this.#index("trace"), this.#index("session")]);
    const stream = this.#stream("trace", index);
    // The session's own log has no list, so its unreadable records are reported with the trace.
    const warnings = [...stream.warnings, ...this.#stream("session", log).warnings];
    return { ...stream, warnings, keys: index?.keys ?? NO_KEYS };
  }

  async messages(agentId?: string): Promise<RecordStream> {
    return agentId === undefined ? this.#stream("messages", await this.#index("messages")) : NO_RECORDS;
  }

  async orchestration(): Promise<OrchestrationLog> {
    const events = this.#stream("orchestration", await this.#index("orchestration"));
    return { events, state: () => this.#replay(events) };
  }

  async #replay(events: RecordStream): Promise<OrchestrationState | null> {
    const [stored, records] = await Promise.all([
      this.#readCheckpoint(),
      readAllRecords<unknown>(events, this.#options),
    ]);
    if (stored === undefined && records.length === 0) return null;
    const checkpoint =
      stored?.text === undefined
        ? null
        : (JSON.parse(decodeText(stored.text, 0, stored.text.length)) as OrchestrationSnapshot);
    const snapshot = await runInSlices(replayInSteps(checkpoint, records), this.#options.signal);
    if (stored?.problem === undefined) return { snapshot };
    const reason = `${stored.problem}: the agents are those of the events alone`;
    return { snapshot, warnings: [{ file: this.#nameOf("checkpoint"), line: 1, reason }] };
  }

  async #readCheckpoint(): Promise<CheckpointText | undefined> {
    if (this.#lookedUp.checkpoint === undefined) return undefined;
    const { root, pool } = this.#reading;
    return pool.run(READ_CHECKPOINT, { root, path: this.#files.checkpoint }, this.#options);
  }

  #nameOf(part: Part): string {
    return nameInSession(this.#files, part).join("/");
  }

  async #index(part: RecordPart): Promise<FileIndex | undefined> {
    const matches = this.#lookedUp[part];
    if (matches === undefined) return undefined;
    const identity = matches === "unreadable" ? UNKNOWN : matches;
    const index = await this.#reading.indexes.read(this.#files[part], identity, WANTED[part], this.#options);
    if (index !== undefined) return index;
    throw new SourceChangedError(`${this.#nameOf(part)} is gone.`);
  }

  #stream(part: RecordPart, index: FileIndex | undefined): RecordStream {
    if (index === undefined) return NO_RECORDS;
    const { root, batches, indexes } = this.#reading;
    const opened = this.#options.signal;
    const file = this.#nameOf(part);
    return {
      size: index.size,
      warnings: index.problems.map(({ line, reason }) => ({ file, line, reason })),
      fingerprintAt: (at) => fingerprintOfNumbers(index.id, index.starts[at]!, index.lengths[at]!),
      async *read(selection, options) {
        try {
          for await (const batch of batches.read(index, selection, () =>
            readRecords(root, index, selection, options),
          )) {
            opened?.throwIfAborted();
            yield batch;
          }
        } catch (error) {
          if (error instanceof SourceChangedError) indexes.forget(index.path);
          throw error;
        }
      },
    };
  }
}

interface CheckpointRequest {
  readonly root: string;
  readonly path: string;
}

/** Text, because a thread cannot send deeply nested values. */
type CheckpointText =
  | { readonly text: Uint8Array; readonly problem: undefined }
  | { readonly text: undefined; readonly problem: string };

/** A longer checkpoint is not read: parsing cannot pause. */
const MOST_BYTES = 16 * 1024 * 1024;

/** `undefined` if the checkpoint does not exist. A reading task. */
export function* readCheckpoint({
  root,
  path,
}: CheckpointRequest): Generator<void, CheckpointText | undefined> {
  const file = openContained(root, path);
  if (file === undefined) return undefined;
  try {
    const { size } = file.identity;
    if (size > MOST_BYTES) return { text: undefined, problem: "is longer than 16 MiB" };
    const { bytes } = readPart(file.descriptor, 0, size, new Uint8Array(size));
    if (!isUnchanged(file.identity, identify(fstatSync(file.descriptor)))) {
      throw new SourceChangedError("The checkpoint was written over while it was being read.");
    }
    const verdict = yield* new JsonLexer([]).readInSteps(bytes, 0, bytes.length);
    if (verdict === "object") return { text: bytes, problem: undefined };
    return { text: undefined, problem: verdict === "value" ? NO_OBJECT : NOT_JSON };
  } finally {
    closeSync(file.descriptor);
  }
}

const READ_CHECKPOINT = {
  module: ownModule(import.meta.url, "filesystem-snapshot"),
  name: "readCheckpoint",
  steps: readCheckpoint,
};
