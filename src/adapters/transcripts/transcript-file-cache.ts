import { LRUCache } from "lru-cache";
import { WAITING } from "../../application/threads/slices.js";
import { nameInside } from "../files/bytes/contained-files.js";
import { readShort } from "../files/bytes/read-short.js";
import type { DerivedFile, SessionFile } from "./derived-file.js";
import type { Lineage, TranscriptFormat } from "./format.js";
import { GrowingFile } from "./growing-file.js";
import type { AgentNote, TranscriptFile } from "./transcript-files.js";

/** A note beside a file holds a few words; a longer one is none. */
const MAX_NOTE = 64 * 1024;

/** The files of transcripts, each with what was derived from it so far: the next reading goes on from there. */
export class TranscriptFileCache {
  readonly #root: string;
  readonly #format: TranscriptFormat;
  /** Two caches, so that a list of all sessions, which only sums files up, does not evict the files of open sessions. */
  readonly #withRows: LRUCache<string, GrowingFile>;
  readonly #summedUp: LRUCache<string, GrowingFile>;
  /** The files that a task is reading: another task that needs one of them waits. */
  readonly #reading = new Set<string>();

  /** @param maxBytes about how much memory may go into what was derived */
  constructor(root: string, format: TranscriptFormat, maxBytes: number) {
    this.#root = root;
    this.#format = format;
    this.#withRows = new LRUCache({ maxSize: Math.max(1, maxBytes) });
    this.#summedUp = new LRUCache({ maxSize: Math.max(1, Math.floor(maxBytes / 32)) });
  }

  /**
   * What a file contains now; `undefined` where it is gone.
   *
   * @param keepsRows whether every envelope and message is wanted, or only what they sum up to
   * @param linesAtOnce how many lines are read at most, about. Default is all of them
   */
  *read(
    file: TranscriptFile,
    lineage: Lineage,
    keepsRows: boolean,
    linesAtOnce = Number.POSITIVE_INFINITY,
  ): Generator<unknown, SessionFile | undefined> {
    const { path, agentId, isOneConversation, continues, arrayMember } = file;
    // A file that was a session of its own before its parent was there is derived anew: its lines have another meaning now.
    const key = JSON.stringify([path, agentId, isOneConversation, continues, lineage.name]);
    const known = keepsRows ? this.#withRows : this.#summedUp;
    const reading = `${keepsRows} ${key}`;
    const isContinued = continues !== undefined;
    const options = { agentId, isOneConversation, isContinued, arrayMember, keepsRows, ...lineage };
    while (this.#reading.has(reading)) yield WAITING;
    const growing = known.get(key) ?? new GrowingFile(this.#root, path, this.#format, options);
    this.#reading.add(reading);
    let derived: DerivedFile | undefined;
    try {
      derived = yield* growing.read(linesAtOnce);
    } finally {
      this.#reading.delete(reading);
    }
    if (derived === undefined) {
      known.delete(key);
      return undefined;
    }
    // A file larger than the whole cache is kept as its only entry: the next batch of the same file needs it.
    known.set(key, growing, { size: Math.min(growing.bytes, known.maxSize) });
    return { ...file, name: this.nameOf(path), derived };
  }

  /** Derives files anew the next time, however little they seem to have changed. */
  forget(files: readonly TranscriptFile[]): void {
    const beginnings = files.map(({ path }) => JSON.stringify([path]).slice(0, -1));
    for (const known of [this.#withRows, this.#summedUp]) {
      for (const key of [...known.keys()]) {
        if (beginnings.some((beginning) => key.startsWith(`${beginning},`))) known.delete(key);
      }
    }
  }

  /** What is known of agents besides their records, by the agents that the files are of. */
  notes(files: readonly TranscriptFile[]): ReadonlyMap<string, AgentNote> {
    const notes = new Map<string, AgentNote>();
    for (const { agentId, notePath, note } of files) {
      const text = notePath === undefined ? undefined : readShort(this.#root, notePath, MAX_NOTE);
      const known = text === undefined ? note : this.#format.readNote?.(text);
      if (known !== undefined) notes.set(agentId, known);
    }
    return notes;
  }

  /** A file by its path inside of the tenant's folder. */
  nameOf(path: string): string {
    return nameInside(this.#root, path).replace(/^[^/]*\//, "");
  }
}
