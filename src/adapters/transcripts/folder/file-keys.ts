import { CachedWhileSame } from "../../../application/cached-while-same.js";
import type { JsonObject } from "../../../domain/json/json.js";
import { statEntry } from "../../files/bytes/contained-files.js";
import { type FileEnd, readGrowth } from "../../files/bytes/file-growth.js";
import { type FileIdentity, identify, isUnchanged } from "../../files/bytes/file-identities.js";
import type { Line } from "../../files/bytes/line.js";
import { recordsOf } from "../../files/bytes/parse-line.js";
import { readLines } from "../../files/bytes/read-lines.js";
import type { Lineage } from "./format.js";
import { openLines } from "./open-lines.js";
import type { TranscriptFileGroup } from "./transcript-files.js";

interface ReadKeys<Value> extends FileEnd {
  readonly keys: Map<number, Value>;
}

const MAX_CACHED = 1_000_000;

const MOST_KEYS = 500_000;

/** Keys that identify copies of a file's records in other files. A growing file is read once. */
export class FileKeys<Value> {
  readonly #cached = new CachedWhileSame<FileIdentity, ReadKeys<Value>>({ maxSize: MAX_CACHED }, isUnchanged);

  *of(
    root: string,
    file: string,
    add: (keys: Map<number, Value>, line: Line) => void,
  ): Generator<void, ReadonlyMap<number, Value>> {
    const stats = statEntry(root, file);
    if (stats === undefined) return new Map();
    const identity = identify(stats);
    const same = this.#cached.get(file, identity);
    if (same !== undefined) return same.keys;
    const opened = yield* openLines(root, file);
    if (opened === undefined) return new Map();
    try {
      const read = yield* readGrowth(opened, this.#cached.last(file), function* (from, state) {
        const keys = new Map(from?.keys);
        const range = { from: from?.offset ?? 0, to: state.identity.size, line: 1 };
        const take = (line: Line) => add(keys, line);
        const { offset, tail } = yield* readLines(
          opened.descriptor,
          range,
          take,
          () => keys.size >= MOST_KEYS,
        );
        if (tail !== undefined) take(tail);
        return { ...state, keys, offset };
      });
      return this.#cached.keep(file, identity, read, read.keys.size + 1).keys;
    } finally {
      opened.close();
    }
  }
}

/**
 * Lineage of sessions that begin with copies of their relatives' records.
 * @param keyOf number that a record and its copies share; `undefined` if it is never copied
 */
export function copiesByKey(keyOf: (record: JsonObject) => number | undefined) {
  const fileKeys = new FileKeys<true>();
  const add = (keys: Map<number, true>, line: Line) => {
    for (const record of recordsOf(line)) {
      const key = keyOf(record);
      if (key !== undefined) keys.set(key, true);
    }
  };
  return function* (root: string, { relatives }: TranscriptFileGroup): Generator<void, Lineage> {
    const paths = relatives.map(({ files }) => files[0].path);
    const originals: ReadonlyMap<number, true>[] = [];
    for (const path of paths) originals.push(yield* fileKeys.of(root, path, add));
    const isCopy = (key: number | undefined) => key !== undefined && originals.some((keys) => keys.has(key));
    return { name: paths.join(" "), isReplay: (record) => isCopy(keyOf(record)) };
  };
}
