import type { TranscriptFolder } from "../../transcripts/folder/format.js";
import { headedFolder } from "../../transcripts/folder/headed-folder.js";
import { tenantOfDirectory } from "../../transcripts/folder/transcript-files.js";
import { copiedRecords } from "./copied-records.js";
import {
  rolloutInName,
  rolloutsIn,
  THREAD_HEADS,
  type ThreadHead,
  threadInName,
  threadNames,
} from "./layout.js";
import { surroundings } from "./surroundings.js";
import { sessionsOfThreads, type ThreadFile } from "./thread-sessions.js";

/** A thread with another id is identified by its file name. */
const USABLE = /^[\w.:-]{1,200}$/;

export const threadFolder: TranscriptFolder = {
  ...headedFolder({
    heads: THREAD_HEADS,
    files: rolloutsIn,
    isOwn: ({ threadId }) => threadId !== undefined,
    beside: threadNames,
    sessions: (heads, names = new Map()) => sessionsOfThreads(threadsOf(heads), names),
  }),
  surroundings,
  lineage: (root, _, { path, copiedFrom = [] }) => copiedRecords(root, path, copiedFrom),
};

function threadsOf(heads: ReadonlyMap<string, ThreadHead>): ThreadFile[] {
  const threadIds = threadIdsOf(heads);
  return [...heads].map(([path, head]) => {
    const threadId = threadIds.get(path)!;
    const tenantId = tenantOfDirectory(head.cwd);
    return { ...head, path, threadId, rolloutId: rolloutInName(path), tenantId };
  });
}

/** Each file states its thread. The statement does not count if another file has that thread's name. */
function threadIdsOf(heads: ReadonlyMap<string, ThreadHead>): ReadonlyMap<string, string> {
  const threadIdOf = ({ threadId = "" }: ThreadHead) => (USABLE.test(threadId) ? threadId : undefined);
  const files = [...heads].map(([path, head]) => ({
    path,
    named: threadInName(path),
    reported: threadIdOf(head),
  }));
  const owned = new Set(files.filter((file) => file.reported === file.named).map(({ named }) => named));
  return new Map(
    files.map(({ path, named, reported = named }) => [
      path,
      owned.has(reported) && reported !== named ? named : reported,
    ]),
  );
}
