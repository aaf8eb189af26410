import { createRequire } from "node:module";
import { homedir, hostname, userInfo } from "node:os";
import { htmlWriter } from "../adapters/web-ui/html-writer.js";
import type { ExportParts } from "../application/export/export-session.js";
import type { ExportWriter, OwnRule, Redaction } from "../application/ports/export.js";
import type { ReadingPool } from "../application/ports/reading-pool.js";
import type { CallPricing } from "../application/pricing/call-pricing.js";

export interface Exporting extends Pick<ExportParts, "writer"> {
  redaction(pool: ReadingPool, rules?: readonly OwnRule[]): Redaction | undefined;
  writers(pricing: CallPricing): ExportParts["writers"];
}

export function exporting(): Exporting {
  return {
    writers: (pricing) => ({
      html: htmlWriter(),
      jsonl: { ...JSON_LINES, ending: ".jsonl", write: writeLines },
      atif: {
        mediaType: "application/json",
        ending: ".json",
        write: lazily(async () =>
          (await import("../adapters/exports/atif/atif-writer.js")).atifWriter(pricing),
        ),
      },
      otlp: {
        ...JSON_LINES,
        ending: ".otlp.jsonl",
        write: lazily(async () => (await import("../adapters/exports/otlp/otlp-writer.js")).writeOtlp),
      },
      markdown: {
        ...MARKDOWN,
        write: lazily(async () =>
          (await import("../adapters/exports/markdown/markdown-writer.js")).markdownWriter(pricing),
        ),
      },
      prompt: {
        ...MARKDOWN,
        write: lazily(async () =>
          (await import("../adapters/exports/prompt/prompt-writer.js")).promptWriter(pricing),
        ),
      },
    }),
    redaction: lazyRedaction,
    get writer() {
      return ownVersion();
    },
  };
}

function ownVersion(): string {
  try {
    const { version } = createRequire(import.meta.url)("agent-inspector/package.json") as { version: string };
    return version;
  } catch {
    return "unknown";
  }
}

const JSON_LINES = { mediaType: "application/x-ndjson" };
const MARKDOWN = { mediaType: "text/markdown; charset=utf-8", ending: ".md" };

const encoder = new TextEncoder();

const writeLines: Write = async function* (lines) {
  for await (const batch of lines) yield encoder.encode(batch.map((line) => `${line}\n`).join(""));
};

type Write = ExportWriter["write"];

function lazily(load: () => Promise<Write>): Write {
  return async function* (lines, options) {
    yield* (await load())(lines, options);
  };
}

function lazyRedaction(pool: ReadingPool, rules?: readonly OwnRule[]): Redaction {
  const load = async () => {
    const { createRedaction } = await import("../adapters/redaction/library-redaction.js");
    return createRedaction(pool, { rules, machine: machineFacts() });
  };
  return {
    review: async (lines, options) => (await load()).review(lines, options),
    async *remove(lines, review, options) {
      yield* (await load()).remove(lines, review, options);
    },
  };
}

function machineFacts() {
  return { homeFolder: homedir(), userName: userName(), hostName: hostname() };
}

/** A process may run as a user without a name in the system. */
function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
