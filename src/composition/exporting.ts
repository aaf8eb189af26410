import { createRequire } from "node:module";
import type { ExportParts } from "../application/export/export-session.js";
import type { ExportWriter } from "../application/ports/export.js";

/** What a container needs to write files of sessions, beside what it has. */
export type Exporting = Pick<ExportParts, "writers" | "redaction" | "writer">;

/** With files: all formats. Each part is loaded with the first export that needs it. */
export function exporting(): Exporting {
  return {
    writers: { jsonl: JSON_LINES },
    redaction: undefined,
    get writer() {
      return ownVersion();
    },
  };
}

/** In a bundle that runs without its packages nobody knows. */
function ownVersion(): string {
  try {
    const { version } = createRequire(import.meta.url)("agent-inspector/package.json") as { version: string };
    return version;
  } catch {
    return "unknown";
  }
}

const encoder = new TextEncoder();

const JSON_LINES: ExportWriter = {
  mediaType: "application/x-ndjson",
  ending: ".jsonl",
  async *write(lines) {
    for await (const batch of lines) yield encoder.encode(batch.map((line) => `${line}\n`).join(""));
  },
};
