import { closeSync, fstatSync } from "node:fs";
import { SourceChangedError } from "../../application/errors.js";
import type { ReadingTask } from "../../application/ports/reading-pool.js";
import { JsonLexer } from "../../domain/json/json-lexer.js";
import { openContained } from "../files/bytes/contained-files.js";
import { identify, isUnchanged } from "../files/bytes/file-identity.js";
import { readPart } from "../files/bytes/file-part.js";
import { NO_OBJECT, NOT_JSON } from "../files/bytes/line.js";

export interface CheckpointRequest {
  readonly root: string;
  readonly path: string;
}

/** The text of an object, or why there is none. As text, because what is nested deep cannot be sent by a thread. */
export type CheckpointText =
  | { readonly text: Uint8Array; readonly problem: undefined }
  | { readonly text: undefined; readonly problem: string };

/** A longer checkpoint is not read: it would be parsed in one piece. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Reads a checkpoint of the orchestration; `undefined` where there is none. A reading task. */
export function* readCheckpoint({
  root,
  path,
}: CheckpointRequest): Generator<void, CheckpointText | undefined> {
  const file = openContained(root, path);
  if (file === undefined) return undefined;
  try {
    const { size } = file.identity;
    if (size > MOST_BYTES) return { text: undefined, problem: "is longer than 16 MiB" };
    const { bytes } = readPart(file.descriptor, 0, size, new Uint8Array(size));
    if (!isUnchanged(file.identity, identify(fstatSync(file.descriptor)))) {
      throw new SourceChangedError("The checkpoint was written over while it was being read.");
    }
    const verdict = yield* new JsonLexer([]).readInSteps(bytes, 0, bytes.length);
    if (verdict === "object") return { text: bytes, problem: undefined };
    return { text: undefined, problem: verdict === "value" ? NO_OBJECT : NOT_JSON };
  } finally {
    closeSync(file.descriptor);
  }
}

export const READ_CHECKPOINT: ReadingTask<CheckpointRequest, CheckpointText | undefined> = {
  module: import.meta.url,
  name: "readCheckpoint",
  steps: readCheckpoint,
};
