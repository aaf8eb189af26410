import { breathe } from "../../application/slices.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { isJsonObject, type JsonObject } from "../../domain/json.js";
import type { ContainedFiles } from "../jsonl/contained-files.js";
import { LONG_LINE } from "../jsonl/json-line.js";
import { readRecords } from "../jsonl/read-records.js";
import { ShortenedJson } from "../jsonl/shortened-json.js";
import type { ReadFile } from "./session-reader.js";
import type { LinePlace } from "./trace-rows.js";

const PIECE = 256 * 1024;

const decoder = new TextDecoder();

/** The record of a line that was read before; of one that would hold up the process, with its long strings cut. */
export async function parseRecord(bytes: Uint8Array): Promise<JsonObject> {
  if (bytes.length <= LONG_LINE) return JSON.parse(decoder.decode(bytes)) as JsonObject;
  const shortened = new ShortenedJson();
  for (let at = 0; at < bytes.length; at += PIECE) {
    await breathe();
    shortened.push(bytes, at, Math.min(bytes.length, at + PIECE));
  }
  const record = shortened.parse();
  return isJsonObject(record) ? record : {};
}

/** @throws SourceChangedError where the file is no longer as it was */
export async function readRecordAt(
  files: ContainedFiles,
  { path, identity }: ReadFile,
  { start, length }: LinePlace,
  options?: ReadOptions,
): Promise<JsonObject> {
  const places = { size: 1, startAt: () => start, lengthAt: () => length, problems: [] };
  for await (const batch of readRecords(files, path, identity, places, { from: 0, to: 1 }, options))
    return parseRecord(batch.text);
  return {};
}
