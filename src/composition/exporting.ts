import { createRequire } from "node:module";
import { homedir, hostname, userInfo } from "node:os";
import type { OwnRule } from "../adapters/redaction/own-rules.js";
import { htmlWriter } from "../adapters/web-ui/html-writer.js";
import type { CallPricing } from "../application/explain/call-pricing.js";
import type { ExportParts } from "../application/export/export-session.js";
import type { ExportWriter, Redaction } from "../application/ports/export.js";
import type { ReadingPool } from "../application/ports/reading-pool.js";

/** What a container needs to write files of sessions, beside what it has. */
export interface Exporting extends Pick<ExportParts, "writer"> {
  /** @param pool where secrets are looked for */
  redaction(pool: ReadingPool, rules?: readonly OwnRule[]): Redaction | undefined;
  /** @param pricing for formats that say what calls cost */
  writers(pricing: CallPricing): ExportParts["writers"];
}

/** With files: all formats. Each part is loaded with the first export that needs it. */
export function exporting(): Exporting {
  return {
    writers: (pricing) => ({
      html: htmlWriter(),
      jsonl: JSON_LINES,
      atif: atifWriter(pricing),
      otlp: OTLP,
      markdown: textWriter(async () =>
        (await import("../adapters/export-texts/markdown-writer.js")).markdownWriter(pricing),
      ),
      prompt: textWriter(async () =>
        (await import("../adapters/export-texts/prompt-writer.js")).promptWriter(pricing),
      ),
    }),
    redaction: lazyRedaction,
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

const OTLP: ExportWriter = {
  mediaType: "application/x-ndjson",
  ending: ".otlp.jsonl",
  async *write(lines, options) {
    const { OtlpWriter } = await import("../adapters/exports/otlp-writer.js");
    yield* new OtlpWriter().write(lines, options);
  },
};

function textWriter(load: () => Promise<ExportWriter>): ExportWriter {
  return {
    mediaType: "text/markdown; charset=utf-8",
    ending: ".md",
    async *write(lines, options) {
      yield* (await load()).write(lines, options);
    },
  };
}

function lazyRedaction(pool: ReadingPool, rules?: readonly OwnRule[]): Redaction {
  const load = async () => {
    const { createRedaction } = await import("../adapters/redaction/library-redaction.js");
    return createRedaction(pool, { rules, machine: knownOfMachine() });
  };
  return {
    review: async (lines, options) => (await load()).review(lines, options),
    async *remove(lines, review, options) {
      yield* (await load()).remove(lines, review, options);
    },
  };
}

/** Histories name the machine that they were made on, which often is this one. */
function knownOfMachine() {
  return { homeFolder: homedir(), userName: userName(), hostName: hostname() };
}

/** A process may run as a user that the system has no name for. */
function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
