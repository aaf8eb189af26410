import { once } from "node:events";
import { createWriteStream, readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { finished } from "node:stream/promises";
import { realHomes } from "../test/codex/support/real-homes.js";
import { type Figure, figure, repeated, spreadOf, within } from "./figures.js";
import { written } from "./generate.js";
import { Client, ServerProcess, sessionsListed } from "./measure.js";
import { STALL } from "./scenarios.js";
import type { Sizes } from "./sizes.js";

export async function codexRollout(folder: string, { rolloutBytes, runs }: Sizes): Promise<Figure[]> {
  await writeRollout(folder, rolloutBytes);
  await written();
  const client = new Client();
  const samples = await repeated(runs, async () => {
    const service = await ServerProcess.start("service", "codex", folder);
    await client.takeOne(`${service.base}/co-hosted`);
    const idle = service.peakMemoryMB;
    await service.longestStallMs(true);
    const list = await client.takeOne(`${service.base}/__inspector/sessions`);
    const trace = `${service.base}/__inspector/sessions/one/trace?tenantId=-home-ada-shop`;
    const first = await client.takeOne(`${trace}&limit=500`);
    const memory = service.peakMemoryMB - idle;
    const again: number[] = [];
    for (let i = 0; i < 10; i++) again.push((await client.takeOne(`${trace}&limit=500`)).ms);
    const window = spreadOf(again).median;
    const stall = await service.longestStallMs(true);
    await service.stop();
    return { list: list.ms, first: first.ms, memory, window, stall };
  });
  client.stop();
  const name = `Codex rollout of ${Math.round(rolloutBytes / 1e6)} MB`;
  return [
    figure(`${name}: list`, "ms", samples.list),
    figure(`${name}: first window of 500`, "ms", samples.first),
    figure(`${name}: memory growth`, "MB", samples.memory, within(128, 96)),
    figure(`${name}: the same window again`, "ms", samples.window, within(6, 3)),
    figure(`${name}: longest stall`, "ms", samples.stall, STALL),
  ];
}

/** One thread that spawned very many, each with a copy of its conversation. */
export async function codexAgents(folder: string, { rolloutAgents, runs }: Sizes): Promise<Figure[]> {
  await writeAgents(folder, rolloutAgents);
  await written();
  const client = new Client();
  const samples = await repeated(runs, async () => {
    const service = await ServerProcess.start("service", "codex", folder);
    await client.takeOne(`${service.base}/co-hosted`);
    const list = await client.takeOne(`${service.base}/__inspector/sessions`);
    const session = `${service.base}/__inspector/sessions/one`;
    const agents = await client.takeOne(`${session}/orchestration?tenantId=-home-ada-shop`);
    const trace = await client.takeOne(`${session}/trace?tenantId=-home-ada-shop&limit=500`);
    const { length } = await sessionsListed(service.base);
    if (length !== 1)
      throw new Error(`${length} sessions are listed of one with ${rolloutAgents} sub-agents`);
    await service.stop();
    return { list: list.ms, agents: agents.ms, trace: trace.ms };
  });
  client.stop();
  const name = `Codex thread with ${rolloutAgents} sub-agents`;
  return [
    figure(`${name}: list, cold`, "ms", samples.list, within(2_000, 1_000)),
    figure(`${name}: sub-agents, behind it`, "ms", samples.agents, within(2_000, 1_000)),
    figure(`${name}: first window of 500, behind these`, "ms", samples.trace, within(2_000, 1_000)),
  ];
}

const DAY = "sessions/2026/07/01";

const at = (second: number) => new Date(Date.UTC(2026, 6, 1) + second * 1_000).toISOString();

const line = (second: number, type: string, payload: object) =>
  `${JSON.stringify({ timestamp: at(second), type, payload })}\n`;

const meta = (id: string, more: object = {}) =>
  line(0, "session_meta", {
    ...{ id, timestamp: at(0), cwd: "/home/ada/shop", originator: "codex_cli_rs", cli_version: "0.144.0" },
    ...{ source: "cli", ...more, base_instructions: { text: "You are a coding agent. ".repeat(500) } },
  });

function turn(id: number, second: number): string {
  const prompt = `Change number ${id}, please.`;
  const call = (name: string, output: string) =>
    line(second, "response_item", {
      type: "function_call",
      name: "exec_command",
      arguments: `{"cmd":"${name}"}`,
      call_id: `c${id}${name}`,
    }) + line(second, "response_item", { type: "function_call_output", call_id: `c${id}${name}`, output });
  const output = `Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n${"a line of a file\n".repeat(120)}`;
  const usage = (calls: number) => ({
    input_tokens: 900 * calls,
    cached_input_tokens: 600 * calls,
    output_tokens: 40 * calls,
    reasoning_output_tokens: 0,
    total_tokens: 940 * calls,
  });
  const count = (calls: number) =>
    line(second, "event_msg", {
      type: "token_count",
      info: { total_token_usage: usage(calls), last_token_usage: usage(1) },
    });
  return [
    line(second, "event_msg", { type: "task_started", turn_id: `t${id}` }),
    line(second, "turn_context", { turn_id: `t${id}`, model: "gpt-bench", cwd: "/home/ada/shop" }),
    line(second, "response_item", {
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: prompt }],
    }),
    line(second, "event_msg", { type: "user_message", message: prompt, images: [] }),
    line(second, "response_item", { type: "reasoning", summary: [], encrypted_content: "x".repeat(1_500) }),
    call("cat", output),
    count(2 * id + 1),
    call("ls", output),
    line(second, "response_item", {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "Done. ".repeat(50) }],
    }),
    count(2 * id + 2),
    line(second, "event_msg", {
      type: "task_complete",
      turn_id: `t${id}`,
      last_agent_message: "Done.",
      duration_ms: 900,
    }),
  ].join("");
}

/** `undefined` without real rollouts. */
function realTurns(): string | undefined {
  const texts = realHomes().flatMap(({ folder }) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => readFileSync(path.join(folder, name), "utf8")),
  );
  const longest = texts.sort((a, b) => b.length - a.length)[0];
  return longest?.slice(longest.indexOf("\n") + 1);
}

async function writeRollout(home: string, bytes: number): Promise<void> {
  await mkdir(path.join(home, DAY), { recursive: true });
  const file = createWriteStream(path.join(home, DAY, "rollout-2026-07-01T00-00-00-one.jsonl"));
  file.write(meta("one"));
  const real = realTurns();
  for (let id = 0, size = 0; size < bytes; id++) {
    const text = real ?? turn(id, 1 + id);
    size += text.length;
    if (!file.write(text)) await once(file, "drain");
  }
  file.end();
  await finished(file);
}

async function writeAgents(home: string, agents: number): Promise<void> {
  await mkdir(path.join(home, DAY), { recursive: true });
  const previous = turn(0, 1) + turn(1, 2);
  const spawn = (id: number) =>
    line(10, "response_item", {
      type: "function_call",
      name: "spawn_agent",
      arguments: `{"task_name":"a${id}"}`,
      call_id: `s${id}`,
    }) +
    line(10, "event_msg", {
      type: "sub_agent_activity",
      event_id: `s${id}`,
      agent_thread_id: `agent-${id}`,
      kind: "started",
    }) +
    line(10, "response_item", {
      type: "function_call_output",
      call_id: `s${id}`,
      output: `{"task_name":"/root/a${id}"}`,
    });
  const spawns = Array.from({ length: agents }, (_, id) => spawn(id));
  const file = (id: string) => path.join(home, DAY, `rollout-2026-07-01T00-00-00-${id}.jsonl`);
  await writeFile(file("one"), meta("one") + previous + spawns.join(""));
  for (let id = 0; id < agents; id++) {
    const own = { parent_thread_id: "one", forked_from_id: "one", agent_path: `/root/a${id}` };
    await writeFile(
      file(`agent-${id}`),
      meta(`agent-${id}`, own) + meta("one") + previous + turn(2 + id, 20 + id),
    );
  }
}
