import path from "node:path";
import { LRUCache } from "lru-cache";
import { textField } from "../../domain/json.js";
import { statContained } from "../jsonl/contained-files.js";
import { type FileIdentity, identify, isUnchanged } from "../jsonl/file-identity.js";
import type { Line } from "../jsonl/line.js";
import { openLines } from "../jsonl/open-lines.js";
import { parseLine } from "../jsonl/parse-line.js";
import { readLines } from "../jsonl/read-lines.js";

interface KnownNames {
  readonly identity: FileIdentity;
  readonly names: ReadonlyMap<string, string>;
}

const NONE: ReadonlyMap<string, string> = new Map();

const known = new LRUCache<string, KnownNames>({ max: 16 });

/** The names that were given to threads, in `session_index.jsonl`: the last one of a thread is its name. */
export function* threadNames(root: string): Generator<void, ReadonlyMap<string, string>> {
  const file = path.join(root, "session_index.jsonl");
  const stats = statContained(root, file);
  if (stats === undefined) return NONE;
  const before = known.get(file);
  if (before !== undefined && isUnchanged(before.identity, identify(stats))) return before.names;
  const opened = yield* openLines(root, file);
  if (opened === undefined) return NONE;
  try {
    const names = new Map<string, string>();
    const follow = (line: Line) => {
      const { record = {} } = parseLine(line);
      const [id, name] = [textField(record, "id"), textField(record, "thread_name")];
      if (id !== undefined && name !== undefined) names.set(id, name);
    };
    const range = { from: 0, to: opened.identity.size, line: 1 };
    const { tail } = yield* readLines(opened.descriptor, range, follow);
    if (tail !== undefined) follow(tail);
    known.set(file, { identity: opened.identity, names });
    return names;
  } finally {
    opened.close();
  }
}
