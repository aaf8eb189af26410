import { closeSync } from "node:fs";
import { openContained, readableOrNone } from "../files/bytes/contained-files.js";
import { readPart } from "../files/bytes/line.js";
import { otlpFiles, otlpPlace } from "./otlp-files.js";

/** How many levels of folders are looked into, how many folders, and how many of their newest files. */
const LEVELS = 3;
const MOST_FOLDERS = 100;
const MOST_FILES = 50;

/** How much of a file is looked at. */
const BEGINNING = 4 * 1024;

/** A request begins with the signal that it exports; a document may have other members before it. */
const SIGNAL =
  /^[\s\uFEFF]*\{(?:\s*"[^"]*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\d.]+)\s*,)*\s*"resource_?(?:spans|logs|metrics)"\s*:\s*\[/i;

/** Whether a folder, or a file, holds histories of OpenTelemetry, by how its files begin. */
export function* recognisesOtlp(named: string): Generator<void, boolean> {
  const place = otlpPlace(named);
  const files = yield* otlpFiles(place, LEVELS, MOST_FOLDERS);
  for (const { path } of files.slice(0, MOST_FILES)) {
    const opened = readableOrNone(() => openContained(place.root, path));
    if (opened === undefined) continue;
    try {
      const length = Math.min(BEGINNING, opened.identity.size);
      const { bytes } = readPart(opened.descriptor, 0, length, new Uint8Array(length));
      if (SIGNAL.test(new TextDecoder().decode(bytes))) return true;
    } finally {
      closeSync(opened.descriptor);
    }
    yield;
  }
  return false;
}
