import { LRUCache } from "lru-cache";
import { SourceUnavailableError } from "../../../application/errors.js";
import type { RecordWarning } from "../../../application/ports/record-stream.js";
import { WAITING } from "../../../application/threads/slices.js";
import {
  type ConversationOutline,
  outlineBetween,
} from "../../../domain/conversation/conversation-outline.js";
import { firstWhere } from "../../../domain/lists/lists.js";
import { nameInside } from "../../files/bytes/contained-files.js";
import { readShort } from "../../files/bytes/read-short.js";
import type { ExtraWork } from "../../files/bytes/reading-budget.js";
import type { Lineage, TranscriptFormat } from "../folder/format.js";
import {
  type AgentNote,
  MAX_NOTE,
  type TranscriptFile,
  type TranscriptFileGroup,
} from "../folder/transcript-files.js";
import type { DerivedFile, SessionFile } from "./derived-file.js";
import { GrowingFile } from "./growing-file.js";

export interface ReadingBounds {
  readonly linesAtOnce: number;
  readonly ofList?: ExtraWork | undefined;
}

const NO_LINEAGE: Lineage = { name: "", isReplay: () => false };

/** Reads the files of sessions, each with its lineage. Derived data is cached, and later readings continue from it. */
export class SessionFileReader {
  readonly #root: string;
  readonly #format: TranscriptFormat;
  /** Two caches, so that a list of all sessions does not evict the files of open sessions. */
  readonly #withRows: LRUCache<string, GrowingFile>;
  readonly #summedUp: LRUCache<string, GrowingFile>;
  readonly #reading = new Set<string>();

  constructor(root: string, format: TranscriptFormat, maxBytes: number) {
    this.#root = root;
    this.#format = format;
    this.#withRows = new LRUCache({ maxSize: Math.max(1, maxBytes) });
    this.#summedUp = new LRUCache({ maxSize: Math.max(1, Math.floor(maxBytes / 32)) });
  }

  *readConversation(session: TranscriptFileGroup, agentId: string): Generator<unknown, SessionFile[]> {
    const parts = session.files.filter((file) => file.agentId === agentId || file.continues === agentId);
    const inherited = parts.filter(({ inheritedTo }) => inheritedTo !== undefined);
    const own = parts.filter(({ inheritedTo }) => inheritedTo === undefined);
    const reported = own[0] === undefined ? [] : yield* this.#inheritedBy(session, own[0]);
    if (parts.length === 0) return yield* this.#readWithin(session, agentId);
    const files: SessionFile[] = [];
    for (const file of [...reported, ...inherited, ...own]) {
      const read = yield* this.#read(session, file, true);
      if (read !== undefined)
        files.push(file.inheritedTo === undefined ? read : upTo(read, file.inheritedTo));
    }
    return files;
  }

  *#readWithin(session: TranscriptFileGroup, agentId: string): Generator<unknown, SessionFile[]> {
    const { files } = yield* this.read(session, true);
    const messages = files.flatMap((file) => messagesWithin(file, agentId));
    const lines = messages.filter(({ isInner }) => isInner !== true);
    return lines.length > 0 ? lines : messages;
  }

  *#inheritedBy(session: TranscriptFileGroup, file: TranscriptFile): Generator<unknown, TranscriptFile[]> {
    const { folder } = this.#format;
    const messages: TranscriptFile[] = [];
    const visited = new Set<string>();
    for (let one: TranscriptFile | undefined = file; one !== undefined && !visited.has(one.path); ) {
      visited.add(one.path);
      const before: TranscriptFile | undefined = yield* folder.inherited?.(this.#root, session, one) ?? [];
      if (before !== undefined && !visited.has(before.path)) messages.unshift(before);
      one = before;
    }
    return messages;
  }

  /**
   * An unreadable sub-agent's file affects only itself, with a warning.
   * @param retainsRows true for envelopes and messages, false for a summary
   * @param bounds unbounded by default
   */
  *read(
    session: TranscriptFileGroup,
    retainsRows: boolean,
    bounds?: ReadingBounds,
  ): Generator<
    unknown,
    { readonly files: readonly SessionFile[]; readonly warnings: readonly RecordWarning[] }
  > {
    const files: SessionFile[] = [];
    const warnings: RecordWarning[] = [];
    for (const [i, file] of session.files.entries()) {
      if (file.inheritedTo !== undefined) continue;
      try {
        const read = yield* this.#read(session, file, retainsRows, bounds);
        if (read !== undefined) files.push(read);
      } catch (error) {
        if (i === 0 || !(error instanceof SourceUnavailableError)) throw error;
        const reason = `and all later lines: ${error.message}`;
        warnings.push({ file: this.#nameOf(file.path), line: 1, reason });
      }
    }
    return { files, warnings: [...files.flatMap(warningsOf), ...warnings] };
  }

  notes({ files }: TranscriptFileGroup): ReadonlyMap<string, AgentNote> {
    const notes = new Map<string, AgentNote>();
    for (const file of files) {
      const note = this.#noteOf(file);
      if (note !== undefined) notes.set(file.agentId, note);
    }
    return notes;
  }

  #noteOf({ notePath, note }: TranscriptFile): AgentNote | undefined {
    const text = notePath === undefined ? undefined : readShort(this.#root, notePath, MAX_NOTE);
    return text === undefined ? note : this.#format.readNote?.(text);
  }

  forget({ files }: TranscriptFileGroup): void {
    const beginnings = files.map(({ path }) => JSON.stringify([path]).slice(0, -1));
    for (const cached of [this.#withRows, this.#summedUp]) {
      for (const key of [...cached.keys()]) {
        if (beginnings.some((beginning) => key.startsWith(`${beginning},`))) cached.delete(key);
      }
    }
  }

  *#read(
    session: TranscriptFileGroup,
    file: TranscriptFile,
    retainsRows: boolean,
    { linesAtOnce, ofList }: ReadingBounds = { linesAtOnce: Number.POSITIVE_INFINITY },
  ): Generator<unknown, SessionFile | undefined> {
    const lineage = yield* this.#lineageOf(session, file);
    const { path, agentId, isOneConversation, continues, arrayMember } = file;
    // A file's lines change meaning, for example when its parent session appears, so these facts are in the key.
    const key = JSON.stringify([path, agentId, isOneConversation, continues, lineage.name]);
    const cached = retainsRows ? this.#withRows : this.#summedUp;
    const reading = `${retainsRows} ${key}`;
    const isContinued = continues !== undefined;
    const options = {
      agentId,
      isOneConversation,
      isContinued,
      arrayMember,
      retainsRows,
      ...lineage,
    };
    while (this.#reading.has(reading)) yield WAITING;
    const begin = () =>
      new GrowingFile(this.#root, path, this.#format, { ...options, ...this.#modelOf(file) });
    const growing = cached.get(key) ?? begin();
    this.#reading.add(reading);
    let derived: DerivedFile | undefined;
    try {
      derived = yield* growing.read(linesAtOnce, { wanted: session.packed?.[path], ofList });
    } finally {
      this.#reading.delete(reading);
    }
    if (derived === undefined) {
      cached.delete(key);
      return undefined;
    }
    // A file above the cache's size is cached alone: its next batch needs it.
    cached.set(key, growing, { size: Math.min(growing.bytes, cached.maxSize) });
    return { ...file, name: this.#nameOf(path), derived };
  }

  /** Only at the first reading, because a note names the model from the beginning. */
  #modelOf(file: TranscriptFile): Pick<AgentNote, "model"> {
    const model = file.isAgent ? this.#noteOf(file)?.model : undefined;
    return model === undefined ? {} : { model };
  }

  *#lineageOf(session: TranscriptFileGroup, file: TranscriptFile): Generator<unknown, Lineage> {
    if (session.relatives.length === 0 && file.copiedFrom === undefined) return NO_LINEAGE;
    const { lineage } = this.#format.folder;
    return lineage === undefined ? NO_LINEAGE : yield* lineage(this.#root, session, file);
  }

  #nameOf(path: string): string {
    return nameInside(this.#root, path).replace(/^[^/]*\//, "");
  }
}

function messagesWithin(file: SessionFile, agentId: string): SessionFile[] {
  const { conversations } = file.derived;
  return conversations.flatMap(({ agentId: whose, isProgress, messages }) =>
    whose === agentId && messages !== undefined
      ? [{ ...file, agentId, isInner: isProgress, derived: { ...file.derived, ...messages } }]
      : [],
  );
}

function upTo(file: SessionFile, end: number): SessionFile {
  const { messageStarts, messageLengths, messageContents, outline } = file.derived;
  const size = firstWhere(0, messageStarts.length, (i) => messageStarts[i]! >= end);
  const derived = {
    ...file.derived,
    messageStarts: messageStarts.subarray(0, size),
    messageLengths: messageLengths.subarray(0, size),
    messageContents: messageContents.subarray(0, size),
    outline: outlineBetween(withoutRequests(outline), 0, size),
  };
  return { ...file, derived };
}

function withoutRequests({ calls, removals }: ConversationOutline): ConversationOutline {
  return {
    calls: calls.map(({ callId, at }) => ({ callId, at })),
    removals: removals.filter(
      ({ cause, restored, seen: context }) => cause !== "request" || (restored ?? context) === undefined,
    ),
  };
}

export function warningsOf({ name, derived }: SessionFile): RecordWarning[] {
  return derived.problems.map(({ line, reason }) => ({ file: name, line, reason }));
}
