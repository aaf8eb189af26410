import { closeSync } from "node:fs";
import path from "node:path";
import { LRUCache } from "lru-cache";
import { SourceChangedError } from "../../application/errors.js";
import { openContained } from "../files/bytes/contained-files.js";
import { readPart } from "../files/bytes/line.js";
import { parseLine } from "../files/bytes/parse-line.js";
import type { RecordedSpan } from "../spans/recorded-span.js";
import { type IndexedSpan, type RequestPlace, requestOf } from "./read-spans.js";
import { requestSpans } from "./request-spans.js";

/** How much of the files is held as it was parsed, in bytes of them. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Reads spans again from where they lie. Requests that were read lately are held, because spans of one come one after the other. */
export class StoredSpans {
  readonly #root: string;
  readonly #requests = new LRUCache<RequestPlace, readonly RecordedSpan[]>({
    maxSize: MOST_BYTES,
    maxEntrySize: Number.MAX_SAFE_INTEGER,
    sizeCalculation: (_, { length }) => Math.min(MOST_BYTES, Math.max(1, length)),
  });

  constructor(root: string) {
    this.#root = root;
  }

  /** @throws SourceChangedError where it does not lie there any more */
  read({ place, index, spanId }: IndexedSpan): RecordedSpan {
    const known = this.#requests.get(place);
    const spans = known ?? this.#readRequest(place);
    if (known === undefined) this.#requests.set(place, spans);
    const span = spans[index];
    if (span?.spanId !== spanId) throw changed();
    return span;
  }

  #readRequest({ file, start, length }: RequestPlace): readonly RecordedSpan[] {
    const opened = openContained(this.#root, path.join(this.#root, file));
    if (opened === undefined) throw changed();
    try {
      const { bytes } = readPart(opened.descriptor, start, start + length, Buffer.allocUnsafe(length));
      const line = { number: 1, start, length, bytes, from: 0, to: bytes.length, isUtf8: true };
      const { record } = parseLine({ ...line, problem: undefined });
      if (record === undefined) throw changed();
      return requestSpans(requestOf(record));
    } finally {
      closeSync(opened.descriptor);
    }
  }
}

const changed = () => new SourceChangedError("A file of spans was written over while it was being read.");
