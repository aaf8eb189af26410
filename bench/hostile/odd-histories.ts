import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  beginningOfSession,
  envelopeOfOwnTrace,
  hole,
  holeBetween,
  numberedLines,
  type OddFile,
  oneLine,
  prompt,
  sameBytes,
  sameLines,
  spawnedAgent,
} from "./odd-files.js";

export interface OddHistory {
  readonly name: string;
  readonly source: "data-directory" | "claude-code";
  write(folder: string): void;
  readonly tenantId: string;
  readonly sessionId: string;
}

export interface OddSizes {
  /** Of blank stretches, long lines and big checkpoints, in bytes. */
  readonly bytes: number;
  /** Of the shortest records. */
  readonly lines: number;
  /** Of records with ids that are all different. */
  readonly ids: number;
}

const RECORD_FILES = ["trace/events.jsonl", "messages.jsonl", "orchestration/events.jsonl"];
const LOG = "session.jsonl";
const CHECKPOINT = "orchestration/checkpoint.json";
const SESSION = "11111111-1111-4111-8111-111111111111";

/** Every odd file, in every place where it can lie. */
export function oddHistories(sizes: OddSizes): OddHistory[] {
  const anywhere = blankAndLong(sizes);
  const histories = Object.entries(anywhere).flatMap(([name, odd]) => [
    ...[...RECORD_FILES, LOG].map((file) => inDataDirectory(`${name} in ${file}`, file, odd)),
    inClaudeCode(`${name} in a Claude Code history`, odd),
  ]);
  const checkpoint = inDataDirectory("a huge checkpoint", CHECKPOINT, hole(sizes.bytes));
  const own = [
    inDataDirectory("traces of one envelope", RECORD_FILES[0]!, numberedLines(sizes.ids, envelopeOfOwnTrace)),
    inDataDirectory("as many agents", RECORD_FILES[2]!, numberedLines(sizes.ids, spawnedAgent)),
    inDataDirectory("as many ids in a log", LOG, numberedLines(sizes.ids, beginningOfSession)),
    inClaudeCode("as many prompts", numberedLines(sizes.ids, prompt)),
  ];
  return [...histories, checkpoint, ...own];
}

function blankAndLong({ bytes, lines }: OddSizes): Record<string, OddFile> {
  return {
    "empty objects": sameLines("{}", lines),
    "NUL bytes": hole(bytes),
    "NUL bytes between lines": holeBetween("{}\n", bytes),
    "line feeds": sameBytes("\n", bytes),
    spaces: sameBytes(" ", bytes),
    "one line": oneLine(bytes),
    braces: sameBytes("{", Math.min(bytes, 20_000_000)),
  };
}

function inDataDirectory(name: string, file: string, odd: OddFile): OddHistory {
  return {
    ...{ name, source: "data-directory", tenantId: "default", sessionId: "s" },
    write(folder) {
      const session = path.join(folder, "tenants/default/sessions/s");
      mkdirSync(path.join(session, "trace"), { recursive: true });
      mkdirSync(path.join(session, "orchestration"));
      writeFileSync(path.join(session, LOG), `${beginningOfSession(0)}\n`);
      odd(path.join(session, file));
    },
  };
}

function inClaudeCode(name: string, odd: OddFile): OddHistory {
  return {
    ...{ name, source: "claude-code", tenantId: "project", sessionId: SESSION },
    write(folder) {
      mkdirSync(path.join(folder, "project"), { recursive: true });
      odd(path.join(folder, "project", `${SESSION}.jsonl`));
    },
  };
}
