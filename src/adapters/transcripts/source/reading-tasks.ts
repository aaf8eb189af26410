import { ownModule, type ReadingTask } from "../../../application/ports/reading-pool.js";
import { withState } from "../../../application/threads/thread-session.js";
import type { SessionAnalysis } from "../../../domain/summary/session-analysis.js";
import type { FileState } from "../../files/bytes/file-growth.js";
import type { ExtraWork } from "../../files/bytes/reading-budget.js";
import {
  type CacheLocation,
  recallTexts,
  recallValues,
  type WantedValue,
  withCache,
} from "../../files/cache/disk-cache.js";
import { type ScanRequest, scanFiles } from "../../files/search/scan-files.js";
import { containersOf } from "../folder/file-lookups.js";
import type { TranscriptFormat } from "../folder/format.js";
import { type DatedFile, newestOfEach } from "../folder/newest-in-tails.js";
import { oneFile } from "../folder/one-file.js";
import { openLines } from "../folder/open-lines.js";
import { SessionIndexes } from "../folder/session-indexes.js";
import type { TranscriptFileGroup } from "../folder/transcript-files.js";
import { SessionFileReader } from "../trace/session-file-reader.js";
import { summariesOf } from "./session-summary.js";
import { factsIn } from "./transcript-facts.js";
import { TranscriptList } from "./transcript-list.js";
import { type OpenedTranscript, TranscriptReader } from "./transcript-reader.js";

/** `maxBytes` is the approximate memory for a thread's cache. */
export interface Folder {
  readonly root: string;
  /** A single selected file in the folder. Default is the complete folder. */
  readonly onlyFile?: string | undefined;
  readonly maxBytes: number;
  readonly cache?: CacheLocation | undefined;
}

type Timestamped<Request> = Request & { readonly since: number };

export interface OfTenant extends Folder {
  readonly tenantId: string;
}

export interface OfName extends OfTenant {
  readonly sessionId: string;
}

export interface OfSession extends Folder {
  readonly session: OpenedTranscript;
}

export interface OfList extends Folder {
  readonly sessions: readonly TranscriptFileGroup[];
  readonly ofList?: ExtraWork | undefined;
}

export interface OfTrace extends OfSession {
  readonly size: number;
  readonly positions: Uint32Array;
}

export interface OfConversation extends OfSession {
  readonly agentId: string;
}

export interface OfMessages extends OfConversation {
  readonly states: readonly FileState[];
  readonly positions: Uint32Array;
}

export interface CachedValues {
  readonly cache: CacheLocation;
  readonly wanted: readonly WantedValue[];
}

interface FolderReaders {
  readonly list: TranscriptList;
  readonly indexes: SessionIndexes;
  readonly reader: TranscriptReader;
}

/** Tasks of a thread for a folder of transcripts. A format's own module exports them as `steps`. */
export function readingSteps(format: TranscriptFormat) {
  const folders = new Map<string, FolderReaders>();
  const of = ({ root, onlyFile, maxBytes }: Folder) => {
    const key = onlyFile ?? root;
    const existing = folders.get(key);
    if (existing !== undefined) return existing;
    const read = onlyFile === undefined ? format : { ...format, folder: oneFile(format.folder, onlyFile) };
    const files = new SessionFileReader(root, read, maxBytes);
    const list = new TranscriptList(root, read, files);
    const indexes = new SessionIndexes(read);
    const readers = { list, indexes, reader: new TranscriptReader(root, read, files) };
    folders.set(key, readers);
    return readers;
  };
  return {
    tenants: ({ since, ...one }: Timestamped<Folder>) =>
      withCache(one.cache, (cache) => of(one).list.tenants({ cache, since })),
    discover: ({ since, from, ...one }: Timestamped<OfTenant> & { readonly from: number }) =>
      withCache(one.cache, (cache) => of(one).list.discover(one.tenantId, { cache, since }, from)),
    surroundings: (one: Folder) => withCache(one.cache, (cache) => of(one).indexes.read(one.root, cache)),
    containers: ({ root, beginnings }: Folder & { readonly beginnings: readonly string[] }) =>
      containersOf(root, beginnings),
    find: (one: OfName) => of(one).list.find(one.tenantId, one.sessionId),
    recall: ({ cache, wanted }: CachedValues) => recallValues(cache, summariesOf(format.name), wanted),
    recallFacts: ({ cache, wanted }: CachedValues) => recallTexts(cache, factsIn(format.name), wanted),
    newestInTails: ({ root, sessions }: Folder & { readonly sessions: readonly (readonly DatedFile[])[] }) =>
      newestOfEach(root, sessions, format),
    scan: (request: ScanRequest) =>
      scanFiles(request, (file) => openLines(request.root, file, format.folder.packed)),
    summarize: ({ sessions, ofList, ...one }: OfList) =>
      withCache(one.cache, (cache) => of(one).list.summarize(sessions, { cache, ofList })),
    readFacts: ({ sessions, ofList, ...one }: OfList) =>
      withCache(one.cache, (cache) => of(one).list.readFacts(sessions, { cache, ofList })),
    open: (one: OfName) => of(one).reader.open(one.tenantId, one.sessionId),
    trace: (one: OfSession) => of(one).reader.trace(one.session),
    readTrace: (one: OfTrace) => of(one).reader.readTrace(one.session, one.size, one.positions),
    messagesOf: (one: OfTrace) => of(one).reader.messagesOf(one.session, one.size, one.positions),
    messages: (one: OfConversation) => of(one).reader.messages(one.session, one.agentId),
    readMessages: (one: OfMessages) =>
      of(one).reader.readMessages(one.session, one.agentId, one.states, one.positions),
    orchestration: (one: OfSession) => of(one).reader.orchestration(one.session),
    analyse: withState(
      (): SessionAnalysis[] => [],
      (analyses, one: OfSession) => of(one).reader.analyse(one.session, analyses[0]!),
    ),
  };
}

export type ReadingSteps = ReturnType<typeof readingSteps>;

export type TranscriptTasks = {
  readonly [Name in keyof ReadingSteps]: ReadingSteps[Name] extends (
    input: infer Input,
  ) => Generator<unknown, infer Output>
    ? ReadingTask<Input, Output>
    : never;
};

/**
 * @param url `import.meta.url` of the module that exports the steps
 * @param name its file name, without the extension
 */
export function tasksOf(url: string, name: string, steps: ReadingSteps): TranscriptTasks {
  return tasksIn(ownModule(url, name), steps);
}

/** @param module address that threads import. `undefined` reads on the host's event loop, in slices */
export function tasksIn(module: string | undefined, steps: ReadingSteps): TranscriptTasks {
  const tasks = Object.entries(steps).map(([task, step]) => [task, { module, name: task, steps: step }]);
  return Object.fromEntries(tasks) as TranscriptTasks;
}
