import { closeSync, fstatSync } from "node:fs";
import { SourceChangedError } from "../../application/errors.js";
import type { ReadingTask } from "../../application/ports/reading-pool.js";
import { isJsonObject, type JsonObject } from "../../domain/json.js";
import { openContained } from "../jsonl/contained-files.js";
import { identify, isUnchanged } from "../jsonl/file-identity.js";
import { readPart } from "../jsonl/file-part.js";
import { decodeText } from "../jsonl/parse-line.js";

export interface CheckpointRequest {
  readonly root: string;
  readonly path: string;
}

/** Reads a checkpoint of the orchestration. One that is not whole JSON is no loss: the whole log is replayed. A reading task. */
// biome-ignore lint/correctness/useYield: a task is a generator
export function* readCheckpoint({ root, path }: CheckpointRequest): Generator<void, JsonObject | null> {
  const file = openContained(root, path);
  if (file === undefined) return null;
  try {
    const { size } = file.identity;
    const { bytes } = readPart(file.descriptor, 0, size, new Uint8Array(size));
    if (!isUnchanged(file.identity, identify(fstatSync(file.descriptor)))) {
      throw new SourceChangedError("The checkpoint was written over while it was being read.");
    }
    const value: unknown = JSON.parse(decodeText(bytes, 0, bytes.length));
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  } finally {
    closeSync(file.descriptor);
  }
}

export const READ_CHECKPOINT: ReadingTask<CheckpointRequest, JsonObject | null> = {
  module: import.meta.url,
  name: "readCheckpoint",
  steps: readCheckpoint,
};
