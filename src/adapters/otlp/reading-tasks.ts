import { ownModule, type ReadingTask } from "../../application/ports/reading-pool.js";
import type { SearchQuery } from "../../domain/search/search-query.js";
import type { OtlpLocation } from "./otlp-files.js";
import { type RecordsName, type SessionName, SpanReader } from "./span-reader.js";

export interface OtlpFolder extends OtlpLocation {
  readonly maxBytes: number;
}

interface OfSessions extends OtlpFolder {
  readonly sessions: readonly SessionName[];
}

interface OfSession extends OtlpFolder {
  readonly session: SessionName;
}

const readers = new Map<string, SpanReader>();

function readerOf(folder: OtlpFolder): SpanReader {
  const key = keyOf(folder);
  const reader = readers.get(key) ?? new SpanReader(folder, folder.maxBytes);
  readers.set(key, reader);
  return reader;
}

const keyOf = ({ root, file }: OtlpLocation) => file ?? root;

export const steps = {
  look: (one: OtlpFolder & { readonly previous: string | undefined }) => readerOf(one).look(one.previous),
  find: (one: OfSession) => readerOf(one).find(one.session),
  summarize: (some: OfSessions & { readonly now: number }) =>
    readerOf(some).summarize(some.sessions, some.now),
  warnings: (folder: OtlpFolder) => readerOf(folder).warnings(),
  open: (one: OfSession & { readonly previous: string | undefined }) =>
    readerOf(one).open(one.session, one.previous),
  read: (one: OfSession & RecordRequest) =>
    readerOf(one).read(one.session, one.revision, one.list, one.positions),
  search: (some: OfSessions & { readonly query: SearchQuery; readonly until: number }) =>
    readerOf(some).search(some.sessions, some.query, some.until),
  forget: function* (folder: OtlpFolder): Generator<void, void> {
    yield; // as every reading task
    readers.delete(keyOf(folder));
  },
};

interface RecordRequest {
  readonly revision: string;
  readonly list: RecordsName;
  readonly positions: Uint32Array;
}

type Steps = typeof steps;

type SpanTasks = {
  readonly [Name in keyof Steps]: Steps[Name] extends (input: infer Input) => Generator<unknown, infer Output>
    ? ReadingTask<Input, Output>
    : never;
};

export const SPAN_TASKS = Object.fromEntries(
  Object.entries(steps).map(([name, step]) => [
    name,
    { module: ownModule(import.meta.url, "reading-tasks"), name, steps: step },
  ]),
) as SpanTasks;
