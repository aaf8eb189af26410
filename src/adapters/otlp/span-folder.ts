import type { RecordWarning } from "../../application/ports/record-stream.js";
import { longFingerprint } from "../../domain/text/fingerprints.js";
import { identityNumbers, isUnchanged } from "../files/bytes/file-identities.js";
import { problemOf } from "./group-reader.js";
import { type OtlpFile, type OtlpLocation, otlpFiles } from "./otlp-files.js";
import { readSpans, type SpanFile, warningsOf } from "./read-spans.js";
import { groupSpans } from "./span-groups.js";
import { SpanIndex } from "./span-index.js";

interface ReadFiles {
  readonly read: ReadonlyMap<string, SpanFile>;
  readonly unread: readonly RecordWarning[];
}

export class SpanFolder {
  readonly #location: OtlpLocation;
  #read: ReadonlyMap<string, SpanFile> = new Map();
  #index: SpanIndex | undefined;
  #unread = 0;

  constructor(location: OtlpLocation) {
    this.#location = location;
  }

  get index(): SpanIndex | undefined {
    return this.#index;
  }

  *look(): Generator<void, SpanIndex> {
    const matches = yield* otlpFiles(this.#location);
    const version = longFingerprint(matches.map(stateOf).join("\n"));
    if (this.#index?.version === version) return this.#index;
    const { read, unread } = yield* this.#readFiles(matches);
    const files = [...read.values()];
    const groups = yield* groupSpans(files.flatMap(({ spans, tail }) => [spans, tail]));
    const warnings = [...files.flatMap(warningsOf), ...unread];
    const own = unread.length === 0 ? version : `${version} unread ${this.#unread++}`;
    this.#read = read;
    this.#index = new SpanIndex(groups, own, warnings);
    return this.#index;
  }

  /** In the order of their names, independent of write times. An unreadable file retains its previous content. */
  *#readFiles(matches: readonly OtlpFile[]): Generator<void, ReadFiles> {
    const previous = this.#read;
    const read = new Map<string, SpanFile>();
    const unread: RecordWarning[] = [];
    for (const file of matches.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const before = previous.get(file.name);
      let one = before;
      try {
        if (before === undefined || !isUnchanged(before.identity, file.identity))
          one = yield* readSpans(this.#location.root, file, before);
      } catch (error) {
        const reason = `and all later lines: ${problemOf(error)}`;
        unread.push({ file: file.name, line: before?.line ?? 1, reason });
      }
      if (one !== undefined) read.set(file.name, one);
    }
    return { read, unread };
  }
}

function stateOf({ name, identity }: OtlpFile): string {
  return `${name}\t${identityNumbers(identity).join(".")}`;
}
