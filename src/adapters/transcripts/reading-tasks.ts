import type { ReadingTask } from "../../application/ports/reading-pool.js";
import type { FileState } from "../files/bytes/file-growth.js";
import { type CachePlace, recallValues, type WantedValue, withCache } from "../files/cache/disk-cache.js";
import type { TranscriptFormat } from "./format.js";
import { type DatedFile, newestOfEach } from "./newest-in-tails.js";
import { SessionFileReader } from "./session-file-reader.js";
import { summariesOf } from "./session-summary.js";
import type { FoundSession } from "./transcript-files.js";
import { TranscriptList } from "./transcript-list.js";
import { type OpenedTranscript, TranscriptReader } from "./transcript-reader.js";

/** Which folder is read, and about how much memory a thread may keep of it. */
export interface Folder {
  readonly root: string;
  readonly maxBytes: number;
  /** Where what the list needs of files is cached; nothing for nowhere. */
  readonly cache?: CachePlace | undefined;
}

/** What a thread is asked about a folder of transcripts. A format's own module exports them as `steps`. */
export function readingSteps(format: TranscriptFormat) {
  const folders = new Map<string, { readonly list: TranscriptList; readonly reader: TranscriptReader }>();
  const readersOf = ({ root, maxBytes }: Folder) => {
    const known = folders.get(root);
    if (known !== undefined) return known;
    const files = new SessionFileReader(root, format, maxBytes);
    const list = new TranscriptList(root, format, files);
    const readers = { list, reader: new TranscriptReader(root, format, files) };
    folders.set(root, readers);
    return readers;
  };
  return {
    tenants: ({ root, cache }: Folder) => withCache(cache, (opened) => format.tenants(root, opened)),
    discover: (folder: Folder & { readonly tenantId: string }) =>
      withCache(folder.cache, (cache) => readersOf(folder).list.discover(folder.tenantId, cache)),
    find: (folder: Folder & { readonly tenantId: string; readonly sessionId: string }) =>
      readersOf(folder).list.find(folder.tenantId, folder.sessionId),
    recall: ({ cache, wanted }: { readonly cache: CachePlace; readonly wanted: readonly WantedValue[] }) =>
      recallValues(cache, summariesOf(format.name), wanted),
    newestInTails: ({ root, sessions }: Folder & { readonly sessions: readonly (readonly DatedFile[])[] }) =>
      newestOfEach(root, sessions, format.instantMember),
    summarize: (folder: Folder & { readonly sessions: readonly FoundSession[] }) =>
      withCache(folder.cache, (cache) => readersOf(folder).list.summarize(folder.sessions, cache)),
    open: (folder: Folder & { readonly tenantId: string; readonly sessionId: string }) =>
      readersOf(folder).reader.open(folder.tenantId, folder.sessionId),
    trace: (folder: Folder & { readonly session: OpenedTranscript }) =>
      readersOf(folder).reader.trace(folder.session),
    readTrace: (
      folder: Folder & {
        readonly session: OpenedTranscript;
        readonly size: number;
        readonly positions: Uint32Array;
      },
    ) => readersOf(folder).reader.readTrace(folder.session, folder.size, folder.positions),
    messagesOf: (
      folder: Folder & {
        readonly session: OpenedTranscript;
        readonly size: number;
        readonly positions: Uint32Array;
      },
    ) => readersOf(folder).reader.messagesOf(folder.session, folder.size, folder.positions),
    messages: (folder: Folder & { readonly session: OpenedTranscript; readonly agentId: string }) =>
      readersOf(folder).reader.messages(folder.session, folder.agentId),
    readMessages: (
      folder: Folder & {
        readonly session: OpenedTranscript;
        readonly agentId: string;
        readonly states: readonly FileState[];
        readonly positions: Uint32Array;
      },
    ) =>
      readersOf(folder).reader.readMessages(folder.session, folder.agentId, folder.states, folder.positions),
    orchestration: (folder: Folder & { readonly session: OpenedTranscript }) =>
      readersOf(folder).reader.orchestration(folder.session),
  };
}

export type ReadingSteps = ReturnType<typeof readingSteps>;

/** The same as tasks. */
export type TranscriptTasks = {
  readonly [Name in keyof ReadingSteps]: ReadingSteps[Name] extends (
    input: infer Input,
  ) => Generator<unknown, infer Output>
    ? ReadingTask<Input, Output>
    : never;
};

/** @param module the address of the module that exports the steps */
export function tasksOf(module: string, steps: ReadingSteps): TranscriptTasks {
  const tasks = Object.entries(steps).map(([name, step]) => [name, { module, name, steps: step }]);
  return Object.fromEntries(tasks) as TranscriptTasks;
}
