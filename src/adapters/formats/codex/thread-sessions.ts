import type { FoundSession, TranscriptFile, TranscriptFiles } from "../../transcripts/transcript-files.js";
import type { ThreadHead } from "./layout.js";

/** A file that holds a thread, or a part of one, and what its beginning says of it. */
export interface ThreadFile extends ThreadHead {
  readonly path: string;
  readonly threadId: string;
  readonly tenantId: string;
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
  const threads = new Map<string, [ThreadFile, ...ThreadFile[]]>();
  for (const file of files) {
    const known = threads.get(file.threadId);
    if (known === undefined) threads.set(file.threadId, [file]);
    else known.push(file);
  }
  const sessions = new Map<string, TranscriptFile[]>();
  let taken = 0;
  for (const [threadId, ofThread] of threads) {
    const rootId = rootOf(threadId, threads);
    const session = sessions.get(rootId) ?? [];
    sessions.set(rootId, session);
    if (rootId === threadId) session.unshift(...filesOf(ofThread, rootId, threads));
    else session.push(...filesOf(ofThread, rootId, threads));
    if (++taken % FILES_PER_PAUSE === 0) yield;
  }
  return [...sessions].map(([sessionId, [first, ...others]]) => {
    const { tenantId, cwd: directory, forkedFrom, fault } = threads.get(sessionId)![0];
    const title = names.get(sessionId);
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

/** The thread at the top; one that is its own ancestor is at the top itself. */
function rootOf(threadId: string, threads: ReadonlyMap<string, ThreadFiles>): string {
  const seen = new Set<string>();
  let id = threadId;
  for (;;) {
    if (seen.has(id)) return threadId;
    seen.add(id);
    const parentId = threads.get(id)![0].parentId;
    if (parentId === undefined || parentId === id || !threads.has(parentId)) return id;
    id = parentId;
  }
}

/** The files of a thread: of the session's own, or of a sub-agent. Those behind the first one go on in it. */
function filesOf(
  files: ThreadFiles,
  rootId: string,
  threads: ReadonlyMap<string, ThreadFiles>,
): TranscriptFile[] {
  const [{ threadId, parentId, forkedFrom, role, nickname: description }] = files;
  const isAgent = threadId !== rootId;
  const agentId = isAgent ? threadId : "";
  const from = forkedFrom === threadId ? undefined : threads.get(forkedFrom ?? "");
  const copiedFrom = from?.map(({ path }) => path);
  const note = {
    role,
    description,
    toolCallId: undefined,
    parentAgentId: parentId === rootId ? "" : parentId,
  };
  return files.map(({ path }, i) => {
    const isOneConversation = true;
    if (i > 0)
      return { path, agentId: `${threadId}.${i + 1}`, isOneConversation, continues: agentId, isAgent: false };
    const first = { path, agentId, isOneConversation, isAgent, ...(isAgent ? { note } : {}) };
    return copiedFrom === undefined ? first : { ...first, copiedFrom };
  });
}

/** The thread that a session was forked from: what it was counted for depends on that one's files. */
function relativesOf(
  sessionId: string,
  forkedFrom: string | undefined,
  threads: ReadonlyMap<string, ThreadFiles>,
): TranscriptFiles[] {
  const from = forkedFrom === sessionId ? undefined : threads.get(forkedFrom ?? "");
  if (from === undefined) return [];
  const [first, ...others] = filesOf(from, from[0].threadId, threads);
  return [{ tenantId: from[0].tenantId, sessionId: from[0].threadId, files: [first!, ...others] }];
}
