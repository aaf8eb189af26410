import { mkdirSync } from "node:fs";
import path from "node:path";
import {
  envelopeOfOwnTrace,
  numberedLines,
  type OddFile,
  oneLine,
  spawnedAgent,
} from "../../../bench/hostile/odd-files.js";
import * as claude from "../../claude-code/support/projects.js";
import * as codex from "../../codex/support/homes.js";
import * as gemini from "../../gemini-cli/support/homes.js";
import { call, requestFrom } from "../../otlp/support/spans.js";
import type { HostileRecord } from "./hostile-records.js";

const AGENTS = 100_000;
const TRACES = 60_000;
const BYTES = 50_000_000;

function huge(name: string, reason: string, file: string, write: OddFile): HostileRecord {
  const plant = (folder: string) => {
    const full = path.join(folder, file);
    mkdirSync(path.dirname(full), { recursive: true });
    write(full);
  };
  return { name, reason, plant };
}

const KEPT = "what is kept of each is kept of all";
const HELD = "records are held in memory";

const progress = (i: number) =>
  JSON.stringify({
    type: "progress",
    uuid: `u${i}`,
    timestamp: claude.at(1),
    data: { type: "agent_progress", agentId: `a${i}`, message: claude.userRecord(i, 1, "Go on.") },
  });

const spawned = (i: number) =>
  codex
    .lines([
      codex.called(`c${i}`, "spawn_agent", { message: "Go on." }),
      codex.answered(`c${i}`, `{"agent_id":"a${i}"}`),
    ])
    .trimEnd();

const answer = (i: number) =>
  JSON.stringify(
    gemini.gemini(`g${i}`, 1, "x", { toolCalls: [gemini.toolCall(`t${i}`, 1, "", { agentId: `a${i}` })] }),
  );

const span = (i: number) =>
  JSON.stringify(requestFrom({ "service.name": "many" }, call({ id: 1, from: 1, to: 2, trace: i + 1 })));

const DATA = "tenants/shop/sessions";

export const HUGE_RECORDS: Readonly<Record<string, readonly HostileRecord[]>> = {
  "a data directory": [
    huge(
      "100,000 agents",
      KEPT,
      `${DATA}/agents/orchestration/events.jsonl`,
      numberedLines(AGENTS, spawnedAgent),
    ),
    huge(
      "60,000 traces",
      KEPT,
      `${DATA}/traces/trace/events.jsonl`,
      numberedLines(TRACES, envelopeOfOwnTrace),
    ),
    huge("a record of 50 MB", HELD, `${DATA}/long/messages.jsonl`, oneLine(BYTES)),
    huge("an envelope of 50 MB", HELD, `${DATA}/longer/trace/events.jsonl`, oneLine(BYTES)),
    huge("a log of 50 MB in one line", HELD, `${DATA}/longest/session.jsonl`, oneLine(BYTES)),
  ],
  "Claude Code": [
    huge("100,000 agents", KEPT, "shop/agents.jsonl", numberedLines(AGENTS, progress)),
    huge("a record of 50 MB", HELD, "shop/long.jsonl", oneLine(BYTES)),
  ],
  Codex: [
    huge("100,000 agents", KEPT, codex.rolloutOf("agents"), numberedLines(AGENTS, spawned)),
    huge("a record of 50 MB", HELD, codex.rolloutOf("long"), oneLine(BYTES)),
  ],
  "Gemini CLI": [
    huge("100,000 agents", KEPT, "tmp/shop/chats/session-agents.jsonl", numberedLines(AGENTS, answer)),
    huge("a record of 50 MB", HELD, "tmp/shop/chats/session-long.json", oneLine(BYTES)),
  ],
  "files of OTLP": [
    huge("60,000 traces", KEPT, "traces.jsonl", numberedLines(TRACES, span)),
    huge("a record of 50 MB", HELD, "long.jsonl", oneLine(BYTES)),
  ],
};
