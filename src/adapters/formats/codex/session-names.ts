import { KeptWhileSame } from "../../../application/kept-while-same.js";
import { textField } from "../../../domain/json/json.js";
import { statContained } from "../../files/bytes/contained-files.js";
import { type FileIdentity, identify, isUnchanged } from "../../files/bytes/file-identity.js";
import type { Line } from "../../files/bytes/line.js";
import { parseLine } from "../../files/bytes/parse-line.js";
import { readLines } from "../../files/bytes/read-lines.js";
import { openLines } from "../../transcripts/open-lines.js";

/** The members of a record that name a session. */
export interface NameMembers {
  readonly id: string;
  readonly name: string;
}

type Names = ReadonlyMap<string, string>;

const NONE: Names = new Map();

const namesOfFiles = new KeptWhileSame<FileIdentity, Names>({ max: 16 }, isUnchanged);

/** The names of sessions that a file of their own keeps: the last one that it holds of a session counts. */
export function* sessionNames(root: string, file: string, members: NameMembers): Generator<void, Names> {
  const stats = statContained(root, file);
  if (stats === undefined) return NONE;
  const same = namesOfFiles.get(file, identify(stats));
  if (same !== undefined) return same;
  const opened = yield* openLines(root, file);
  if (opened === undefined) return NONE;
  try {
    const names = new Map<string, string>();
    const follow = (line: Line) => {
      const { record = {} } = parseLine(line);
      const id = textField(record, members.id);
      const name = textField(record, members.name);
      if (id !== undefined && name !== undefined) names.set(id, name);
    };
    const range = { from: 0, to: opened.identity.size, line: 1 };
    const { tail } = yield* readLines(opened.descriptor, range, follow);
    if (tail !== undefined) follow(tail);
    return namesOfFiles.keep(file, opened.identity, names);
  } finally {
    opened.close();
  }
}
