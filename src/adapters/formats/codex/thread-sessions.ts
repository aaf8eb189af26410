import { isPause } from "../../../domain/lists/is-pause.js";
import {
  orphanTitle,
  type TranscriptFile,
  type TranscriptFileGroup,
  type TranscriptFiles,
} from "../../transcripts/folder/transcript-files.js";
import type { ThreadHead } from "./layout.js";

export interface ThreadFile extends ThreadHead {
  readonly path: string;
  readonly threadId: string;
  readonly tenantId: string;
  readonly rolloutId: string;
}

type ThreadFiles = readonly [ThreadFile, ...ThreadFile[]];

/**
 * A thread without a parent, or with a missing parent, is a session. The threads below it are its sub-agents.
 * @param files files of each thread, in order
 */
export function* sessionsOfThreads(
  files: Iterable<ThreadFile>,
  names: ReadonlyMap<string, string>,
): Generator<void, TranscriptFileGroup[]> {
  const threads: Threads = { byId: new Map(), byRollout: new Map() };
  for (const file of files) {
    const existing = threads.byId.get(file.threadId);
    if (existing === undefined) threads.byId.set(file.threadId, [file]);
    else existing.push(file);
    threads.byRollout.set(file.rolloutId, file);
  }
  const sessions = new Map<string, TranscriptFile[]>();
  let taken = 0;
  for (const [threadId, ofThread] of threads.byId) {
    const rootId = rootOf(threadId, threads);
    const session = sessions.get(rootId) ?? [];
    sessions.set(rootId, session);
    if (rootId === threadId) session.unshift(...filesOf(ofThread, rootId, threads));
    else session.push(...filesOf(ofThread, rootId, threads));
    if (isPause(++taken)) yield;
  }
  return [...sessions].map(([sessionId, [first, ...others]]) => {
    const [thread] = threads.byId.get(sessionId)!;
    const { tenantId, cwd: directory, forkedFrom, fault } = thread;
    const title = names.get(sessionId) ?? titleOf(thread);
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

function titleOf({ parentId, threadId, role, nickname }: ThreadFile): string | undefined {
  if (parentId === undefined || parentId === threadId) return undefined;
  return orphanTitle([role, nickname], parentId);
}

/** A thread that is its own ancestor is at the top. */
function rootOf(threadId: string, threads: Threads): string {
  const visited = new Set<string>();
  let id = threadId;
  for (;;) {
    if (visited.has(id)) return threadId;
    visited.add(id);
    const parentId = threads.byId.get(id)![0].parentId;
    if (parentId === undefined || parentId === id || !threads.byId.has(parentId)) return id;
    id = parentId;
  }
}

function filesOf(files: ThreadFiles, rootId: string, threads: Threads): TranscriptFile[] {
  const [first, ...others] = files;
  const { threadId, parentId, role, nickname: description } = first;
  const isAgent = threadId !== rootId;
  const agentId = isAgent ? threadId : "";
  const note = {
    role,
    description,
    toolCallId: undefined,
    parentAgentId: parentId === rootId ? "" : parentId,
  };
  const begin = { agentId, isAgent, ...(isAgent ? { note } : {}), ...originOf(first, threads) };
  const parts = others.map((file, i) => ({
    path: file.path,
    agentId: `${threadId}.${i + 2}`,
    continues: agentId,
    isAgent: false,
    ...baseOf(file, threads),
    isOneConversation: true,
  }));
  const own = { path: first.path, isOneConversation: true, ...begin };
  return [own, ...parts, ...inheritedFiles(first, agentId, threads)];
}

function originOf(file: ThreadFile, threads: Threads): Pick<TranscriptFile, "copiedFrom" | "base"> {
  const { threadId, forkedFrom, parentId, baseId } = file;
  if (baseId !== undefined) return baseOf(file, threads);
  // A sub-agent may begin with copies, too. Without originals, its turns identify them.
  if (forkedFrom === undefined && parentId === undefined) return {};
  const from = forkedFrom === threadId ? undefined : threads.byId.get(forkedFrom ?? "");
  return { copiedFrom: from?.map((one) => one.path) ?? [] };
}

function baseOf(
  { baseId = "", baseEnd: end = ALL }: ThreadFile,
  threads: Threads,
): Pick<TranscriptFile, "base"> {
  const file = threads.byRollout.get(baseId);
  return file === undefined ? {} : { base: { path: file.path, end } };
}

const ALL = Number.MAX_SAFE_INTEGER;

/** Parts of other threads that a thread continues, directly or not; the oldest first. */
function inheritedFiles(first: ThreadFile, agentId: string, threads: Threads): TranscriptFile[] {
  const inherited: TranscriptFile[] = [];
  const visited = new Set([first]);
  for (let file = first; file.baseId !== undefined; ) {
    const { baseId, baseEnd: inheritedTo = ALL } = file;
    const before = threads.byRollout.get(baseId);
    if (before === undefined || visited.has(before)) break;
    visited.add(before);
    inherited.unshift({
      path: before.path,
      agentId: `${first.threadId} from ${baseId}`,
      isAgent: false,
      isOneConversation: true,
      continues: agentId,
      inheritedTo,
      ...baseOf(before, threads),
    });
    file = before;
  }
  return inherited;
}

/** The usage of a fork depends on the files of its origin. */
function relativesOf(sessionId: string, forkedFrom: string | undefined, threads: Threads): TranscriptFiles[] {
  const from = forkedFrom === sessionId ? undefined : threads.byId.get(forkedFrom ?? "");
  if (from === undefined) return [];
  const [first, ...others] = filesOf(from, from[0].threadId, threads);
  return [{ tenantId: from[0].tenantId, sessionId: from[0].threadId, files: [first!, ...others] }];
}
