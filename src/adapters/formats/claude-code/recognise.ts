import { closeSync, readSync } from "node:fs";
import path from "node:path";
import { SourceUnavailableError } from "../../../application/errors.js";
import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { openContained, readableOrNone } from "../../files/bytes/contained-files.js";
import { splitLines } from "../../files/bytes/line.js";
import { parseLine } from "../../files/bytes/parse-line.js";
import { namesIn } from "../../transcripts/names-in.js";

/** How many projects, and how many files of each, are read. */
const PROJECTS = 100;
const FILES = 20;

/** How much of a file's beginning is. */
const BEGINNING = 64 * 1024;

/** In the folder of a session with sub-agents, which is none that holds projects. */
const SUB_AGENTS = "subagents";

/** Whether a folder holds projects of Claude Code: found by the first records in it, never by names alone. */
export function* recognises(root: string): Generator<void, boolean> {
  const folders = namesOrNone(root, root).folders.filter((name) => name !== SUB_AGENTS);
  for (const project of folders.slice(0, PROJECTS)) {
    if (isProject(root, path.join(root, project))) return true;
    yield;
  }
  return false;
}

function isProject(root: string, folder: string): boolean {
  const { files } = namesOrNone(root, folder);
  const lines = files.filter((name) => name.endsWith(".jsonl")).slice(0, FILES);
  return lines.some((name) => holdsRecords(root, path.join(folder, name)));
}

function namesOrNone(root: string, folder: string) {
  return readableOrNone(() => namesIn(root, folder)) ?? { files: [], folders: [] };
}

function holdsRecords(root: string, file: string): boolean {
  let found = false;
  try {
    const opened = openContained(root, file);
    if (opened === undefined) return false;
    try {
      const bytes = new Uint8Array(Math.min(BEGINNING, opened.identity.size));
      const read = readSync(opened.descriptor, bytes, 0, bytes.length, 0);
      splitLines(bytes.subarray(0, read), 0, (line) => {
        const { record } = parseLine(line);
        if (record !== undefined && isOwnRecord(record)) found = true;
      });
    } finally {
      closeSync(opened.descriptor);
    }
  } catch (error) {
    if (!(error instanceof SourceUnavailableError)) throw error;
  }
  return found;
}

/**
 * What no other known tool writes: a record with `isSidechain`, but for Qwen Code's, whose messages have `parts`; a summary that names
 * its leaf; or a snapshot.
 */
function isOwnRecord(record: JsonObject): boolean {
  const type = textField(record, "type");
  if (type === undefined) return false;
  if (type === "summary") return textField(record, "leafUuid") !== undefined;
  if (type === "file-history-snapshot") return record.snapshot !== undefined;
  return (
    textField(record, "uuid") !== undefined &&
    textField(record, "sessionId") !== undefined &&
    typeof record.isSidechain === "boolean" &&
    objectField(record, "message").parts === undefined
  );
}
