import { closeSync, fstatSync } from "node:fs";
import path from "node:path";
import { LRUCache } from "lru-cache";
import { SourceChangedError } from "../../application/errors.js";
import { type OpenFile, openContained } from "../files/bytes/contained-files.js";
import { readPart } from "../files/bytes/line.js";
import { parseLine } from "../files/bytes/parse-line.js";
import type { RecordedSpan } from "../spans/recorded-span.js";
import { type IndexedSpan, type RequestLocation, requestOf } from "./read-spans.js";
import { requestSpans } from "./request-spans.js";

/** Maximum size of the cached requests, in bytes of the files. A larger request is cached alone. */
const MOST_BYTES = 16 * 1024 * 1024;

const MOST_FILES = 16;

/**
 * Reads spans again from their locations. Recent requests are cached in parsed form, because one request may hold spans of many sessions.
 */
export class StoredSpans {
  readonly #root: string;
  readonly #files = new LRUCache<string, OpenFile>({
    max: MOST_FILES,
    dispose: ({ descriptor }) => closeSync(descriptor),
  });
  readonly #requests = new LRUCache<RequestLocation, readonly RecordedSpan[]>({
    maxSize: MOST_BYTES,
    maxEntrySize: Number.MAX_SAFE_INTEGER,
    sizeCalculation: (_, { length }) => Math.min(MOST_BYTES, Math.max(1, length)),
  });

  constructor(root: string) {
    this.#root = root;
  }

  /** @throws SourceChangedError if the span is no longer there */
  read({ place, index, spanId }: IndexedSpan): RecordedSpan {
    const cached = this.#requests.get(place);
    const spans = cached ?? this.#readRequest(place);
    if (cached === undefined) this.#requests.set(place, spans);
    const span = spans[index];
    if (span?.spanId !== spanId) throw changed();
    return span;
  }

  closeFiles(): void {
    this.#files.clear();
  }

  #readRequest({ file, start, length }: RequestLocation): readonly RecordedSpan[] {
    const { descriptor } = this.#open(file);
    if (fstatSync(descriptor).nlink === 0) throw changed();
    const { bytes } = readPart(descriptor, start, start + length, Buffer.allocUnsafe(length));
    const line = { number: 1, start, length, bytes, from: 0, to: bytes.length, isUtf8: true };
    const { record } = parseLine({ ...line, problem: undefined });
    if (record === undefined) throw changed();
    return requestSpans(requestOf(record));
  }

  #open(file: string): OpenFile {
    const cached = this.#files.get(file);
    if (cached !== undefined) return cached;
    const opened = openContained(this.#root, path.join(this.#root, file));
    if (opened === undefined) throw changed();
    this.#files.set(file, opened);
    return opened;
  }
}

const changed = () => new SourceChangedError("A file of spans was written over while it was being read.");
