import type {
  AgentNote,
  FoundSession,
  TranscriptFile,
  TranscriptFiles,
} from "../../transcripts/transcript-files.js";

/** A file that holds a thread, or a part of one, and what its beginning says of it. */
export interface ThreadFile {
  readonly path: string;
  readonly threadId: string;
  readonly tenantId: string;
  /** The folder that was worked in. */
  readonly directory: string | undefined;
  /** The thread that spawned it. */
  readonly parentId: string | undefined;
  /** The thread that it begins with copies of. */
  readonly forkedFrom: string | undefined;
  /** The part of a thread that it is. */
  readonly rolloutId: string;
  /** The part of a thread that it goes on from, and how many bytes of it come before: nothing of that is copied. */
  readonly base: { readonly rolloutId: string; readonly end: number | undefined } | undefined;
  readonly note: Pick<AgentNote, "role" | "description">;
  readonly fault?: string | undefined;
}

type ThreadFiles = readonly [ThreadFile, ...ThreadFile[]];

const FILES_PER_PAUSE = 512;

/**
 * Sessions of threads: one that no other spawned is a session, with the threads below it as its sub-agents. So is one whose parent is
 * not there. Files of one thread follow one another.
 *
 * @param files of each thread in their order
 * @param names that were given to threads
 */
export function* sessionsOfThreads(
  files: Iterable<ThreadFile>,
  names: ReadonlyMap<string, string>,
): Generator<void, FoundSession[]> {
  const threads: Threads = { byId: new Map(), byRollout: new Map() };
  for (const file of files) {
    const known = threads.byId.get(file.threadId);
    if (known === undefined) threads.byId.set(file.threadId, [file]);
    else known.push(file);
    threads.byRollout.set(file.rolloutId, file);
  }
  const sessions = new Map<string, TranscriptFile[]>();
  let taken = 0;
  for (const [threadId, ofThread] of threads.byId) {
    const rootId = rootOf(threadId, threads);
    const session = sessions.get(rootId) ?? [];
    sessions.set(rootId, session);
    if (rootId === threadId) session.unshift(...conversationFiles(ofThread, threads));
    else session.push(...agentFiles(ofThread, rootId, threads));
    if (++taken % FILES_PER_PAUSE === 0) yield;
  }
  return [...sessions].map(([sessionId, [first, ...others]]) => {
    const [thread] = threads.byId.get(sessionId)!;
    const { tenantId, directory, forkedFrom, fault } = thread;
    const title = names.get(sessionId) ?? orphanTitle(thread);
    return {
      tenantId,
      sessionId,
      ...(title === undefined ? {} : { title }),
      ...(directory === undefined ? {} : { directory }),
      ...(fault === undefined ? {} : { fault }),
      files: [first!, ...others] as const,
      relatives: relativesOf(sessionId, forkedFrom, threads),
    };
  });
}

interface Threads {
  readonly byId: Map<string, [ThreadFile, ...ThreadFile[]]>;
  readonly byRollout: Map<string, ThreadFile>;
}

/** The title of a sub-agent that is a session of its own, because the thread that spawned it is not there. */
function orphanTitle({ parentId, threadId, note }: ThreadFile): string | undefined {
  if (parentId === undefined || parentId === threadId) return undefined;
  const name = [note.role, note.description].filter((one) => one !== undefined);
  return `${[...new Set(name)].join(" ") || "Agent"}, a sub-agent of ${parentId} (not here)`;
}

/** The thread at the top; one that is its own ancestor is at the top itself. */
function rootOf(threadId: string, threads: Threads): string {
  const seen = new Set<string>();
  let id = threadId;
  for (;;) {
    if (seen.has(id)) return threadId;
    seen.add(id);
    const parentId = threads.byId.get(id)![0].parentId;
    if (parentId === undefined || parentId === id || !threads.byId.has(parentId)) return id;
    id = parentId;
  }
}

function conversationFiles(files: ThreadFiles, threads: Threads): TranscriptFile[] {
  return partsOf(files, "", threads).map((part) => ({ ...part, isAgent: false }));
}

function agentFiles(files: ThreadFiles, rootId: string, threads: Threads): TranscriptFile[] {
  const [{ threadId, parentId, note }] = files;
  const parentAgentId = parentId === rootId ? "" : parentId;
  return partsOf(files, threadId, threads).map((part, i) => ({
    ...part,
    isAgent: i === 0,
    ...(i === 0 ? { note: { ...note, toolCallId: undefined, parentAgentId } } : {}),
  }));
}

function partsOf(
  files: ThreadFiles,
  agentId: string,
  threads: Threads,
): [Omit<TranscriptFile, "isAgent">, ...Omit<TranscriptFile, "isAgent">[]] {
  const [first, ...others] = files;
  const { threadId } = first;
  const parts = others.map((file, i) => {
    const name = `${threadId}.${i + 2}`;
    return {
      path: file.path,
      agentId: name,
      isOneConversation: true,
      continues: agentId,
      ...baseOf(file, threads),
    };
  });
  const begin = { path: first.path, agentId, isOneConversation: true, ...originOf(first, threads) };
  return [begin, ...parts, ...inheritedFiles(files, agentId, threads)];
}

/** Where the records lie that a thread begins with copies of, or the part of one that it goes on from. */
function originOf(file: ThreadFile, threads: Threads): Pick<TranscriptFile, "copiedFrom" | "base"> {
  const { threadId, forkedFrom, parentId, base } = file;
  if (base !== undefined) return baseOf(file, threads);
  // A sub-agent may begin with copies, too. Without their originals, copies are known by the turns that they are of.
  if (forkedFrom === undefined && parentId === undefined) return {};
  const from = forkedFrom === threadId ? undefined : threads.byId.get(forkedFrom ?? "");
  return { copiedFrom: from?.map((one) => one.path) ?? [] };
}

function baseOf({ base }: ThreadFile, threads: Threads): Pick<TranscriptFile, "base"> {
  const file = base && threads.byRollout.get(base.rolloutId);
  return file === undefined ? {} : { base: { path: file.path, end: base?.end ?? Number.MAX_SAFE_INTEGER } };
}

/** The parts of other threads that a thread goes on from, and those that these go on from: the oldest one first. */
function inheritedFiles(
  [first]: ThreadFiles,
  agentId: string,
  threads: Threads,
): Omit<TranscriptFile, "isAgent">[] {
  const inherited: Omit<TranscriptFile, "isAgent">[] = [];
  const seen = new Set([first]);
  for (let file = first; file.base !== undefined; ) {
    const { rolloutId, end: inheritedTo = Number.MAX_SAFE_INTEGER } = file.base;
    const before = threads.byRollout.get(rolloutId);
    if (before === undefined || seen.has(before)) break;
    seen.add(before);
    const name = `${first.threadId} from ${rolloutId}`;
    const { path } = before;
    const own = { path, agentId: name, isOneConversation: true, continues: agentId, inheritedTo };
    inherited.unshift({ ...own, ...baseOf(before, threads) });
    file = before;
  }
  return inherited;
}

/** The thread that a session was forked from: what it was counted for depends on that one's files. */
function relativesOf(sessionId: string, forkedFrom: string | undefined, threads: Threads): TranscriptFiles[] {
  const from = forkedFrom === sessionId ? undefined : threads.byId.get(forkedFrom ?? "");
  if (from === undefined) return [];
  const [first, ...others] = conversationFiles(from, threads);
  return [{ tenantId: from[0].tenantId, sessionId: from[0].threadId, files: [first!, ...others] }];
}
