import { createRequire } from "node:module";
import type { CallPricing } from "../application/explain/call-pricing.js";
import type { ExportParts } from "../application/export/export-session.js";
import type { ExportWriter } from "../application/ports/export.js";

/** What a container needs to write files of sessions, beside what it has. */
export interface Exporting extends Pick<ExportParts, "redaction" | "writer"> {
  /** @param pricing for formats that say what calls cost */
  writers(pricing: CallPricing): ExportParts["writers"];
}

/** With files: all formats. Each part is loaded with the first export that needs it. */
export function exporting(): Exporting {
  return {
    writers: (pricing) => ({ jsonl: JSON_LINES, atif: atifWriter(pricing) }),
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

function atifWriter(pricing: CallPricing): ExportWriter {
  return {
    mediaType: "application/json",
    ending: ".json",
    async *write(lines, options) {
      const { AtifWriter } = await import("../adapters/exports/atif-writer.js");
      yield* new AtifWriter(pricing).write(lines, options);
    },
  };
}
