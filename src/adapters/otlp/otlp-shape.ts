import { closeSync } from "node:fs";
import { type JsonObject, jsonIn } from "../../domain/json/json.js";
import { openContained, readableOrNone } from "../files/bytes/contained-files.js";
import { readPart } from "../files/bytes/line.js";
import { locateOtlp, type OtlpFile, type OtlpLocation, otlpFiles } from "./otlp-files.js";

const LEVELS = 3;
const MOST_FOLDERS = 100;
const MOST_FILES = 50;

/** A request begins with the signal that it exports; a document may have other members before it, or be an array of requests. */
const SIGNAL =
  /^[\s\uFEFF]*(?:\[\s*)?\{(?:\s*"[^"]*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[\d.]+)\s*,)*\s*"resource_?(?:spans|logs|metrics)"\s*:\s*\[/i;

/** Judges by the beginnings of the files. */
export function* recognisesOtlp(named: string): Generator<void, boolean> {
  const place = locateOtlp(named);
  const files = yield* otlpFiles(place, LEVELS, MOST_FOLDERS);
  for (const file of files.slice(0, MOST_FILES)) {
    if (SIGNAL.test(beginningIn(place, file, 4 * 1024))) return true;
    yield;
  }
  return false;
}

const SPANS = /"(?:resource|scope|instrumentation_?library)_?spans"\s*:/i;

export function* spanFilesIn(named: string): Generator<void, OtlpFile[]> {
  const place = locateOtlp(named);
  const files: OtlpFile[] = [];
  for (const file of yield* otlpFiles(place)) {
    if (SPANS.test(beginningIn(place, file, 256 * 1024))) files.push(file);
    yield;
  }
  return files;
}

function beginningIn({ root }: OtlpLocation, { path }: OtlpFile, most: number): string {
  const opened = readableOrNone(() => openContained(root, path));
  if (opened === undefined) return "";
  try {
    return beginningOf(opened.descriptor, opened.identity.size, most);
  } finally {
    closeSync(opened.descriptor);
  }
}

function beginningOf(descriptor: number, size: number, most: number): string {
  const length = Math.min(most, size);
  const { bytes } = readPart(descriptor, 0, length, new Uint8Array(length));
  return new TextDecoder().decode(bytes);
}

/** Bytes that identify a file: its first line, or else the members before an array. */
const FIRST_LINE = 4 * 1024;
const FIRST_MEMBERS = 256 * 1024;

/**
 * The member of a document whose array holds the records; `""` if the document is that array. `undefined` for a file with a record in
 * each line, also for an object on one line.
 */
export function documentMember(descriptor: number, size: number): string | undefined {
  const start = beginningOf(descriptor, size, FIRST_LINE).trimStart();
  if (/^\[\s*(?:\{|\]?\s*$)/.test(start)) return "";
  if (!start.startsWith("{") || isLine(start)) return undefined;
  const text = beginningOf(descriptor, size, FIRST_MEMBERS).trimStart();
  if (!text.includes("\n") || isLine(text)) return undefined;
  return /"(resource_?(?:spans|logs|metrics))"\s*:/i.exec(text)?.[1] ?? "resourceSpans";
}

/** A line that is not JSON is the beginning of a document only if it closes nothing. */
function isLine(text: string): boolean {
  const end = text.indexOf("\n");
  if (end === -1) return false;
  const line = text.slice(0, end);
  return /[}\]]/.test(line) || jsonIn(line) !== undefined;
}

/** `element`: of a request's `resourceSpans`. `none`: not from OpenTelemetry. */
type OtlpRecord = "request" | "element" | "logs" | "metrics" | "none";

const MEMBERS = {
  request: ["resourceSpans", "resource_spans"],
  element: ["scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans"],
  logs: ["resourceLogs", "resource_logs"],
  metrics: ["resourceMetrics", "resource_metrics"],
} as const;

export function kindOfRecord(record: JsonObject): OtlpRecord {
  if (Array.isArray(record.resourceSpans)) return "request";
  const kinds = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[];
  return kinds.find((kind) => MEMBERS[kind].some((name) => Array.isArray(record[name]))) ?? "none";
}
