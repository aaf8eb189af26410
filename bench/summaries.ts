import path from "node:path";
import { writeLines } from "./data.js";
import { type Figure, figure, repeated, within } from "./figures.js";
import { written } from "./generate.js";
import { Client, ServerProcess } from "./measure.js";
import { prose, seeded, uuidOf } from "./random.js";
import { STALL } from "./scenarios.js";
import type { Sizes } from "./sizes.js";

const TENANT = "-home-ada-shop";

export async function summary(folder: string, { summaryTurns, runs }: Sizes): Promise<Figure[]> {
  const session = await writeSession(folder, summaryTurns);
  const events = summaryTurns * EVENTS_A_TURN;
  await written();
  const client = new Client();
  const samples = await repeated(runs, async () => {
    const service = await ServerProcess.start("service", "claude-code", folder);
    await client.takeOne(`${service.base}/co-hosted`);
    const idle = service.peakMemoryMB;
    const at = `${service.base}/__inspector/sessions/${session}`;
    await service.longestStallMs(true);
    const cold = await client.takeOne(`${at}/summary?tenantId=${TENANT}`);
    const memory = service.peakMemoryMB - idle;
    const stall = await service.longestStallMs(true);
    const again = await client.takeOne(`${at}/summary?tenantId=${TENANT}`);
    await checkEvents(`${at}/trace?tenantId=${TENANT}`, events);
    await service.stop();
    return { cold: cold.ms, again: again.ms, memory, stall };
  });
  client.stop();
  const name = `Summary of a session of ${events} events`;
  return [
    figure(`${name}: cold`, "ms", samples.cold, within(3_000)),
    figure(`${name}: again`, "ms", samples.again),
    figure(`${name}: memory growth`, "MB", samples.memory, within(96)),
    figure(`${name}: longest stall, cold`, "ms", samples.stall, STALL),
  ];
}

export async function comparison(folder: string, { comparedTurns, runs }: Sizes): Promise<Figure[]> {
  const differsFrom = Math.floor(0.8 * comparedTurns);
  const first = await writeSession(folder, comparedTurns);
  const second = await writeSession(folder, comparedTurns, differsFrom);
  await written();
  const client = new Client();
  const samples = await repeated(runs, async () => {
    const service = await ServerProcess.start("service", "claude-code", folder);
    await client.takeOne(`${service.base}/co-hosted`);
    const query = `sessionId=${first}&tenantId=${TENANT}&otherSessionId=${second}&otherTenantId=${TENANT}`;
    const url = `${service.base}/__inspector/compare?${query}`;
    await service.longestStallMs(true);
    const cold = await client.takeOne(url);
    const stall = await service.longestStallMs(true);
    const again = await client.takeOne(url);
    await checkDifference(url, differsFrom * MESSAGES_A_TURN);
    await service.stop();
    return { cold: cold.ms, again: again.ms, stall };
  });
  client.stop();
  const name = `Comparison of two sessions of ${comparedTurns * MESSAGES_A_TURN} messages`;
  return [
    figure(`${name}: cold`, "ms", samples.cold, within(500)),
    figure(`${name}: again`, "ms", samples.again),
    figure(`${name}: longest stall, cold`, "ms", samples.stall, STALL),
  ];
}

async function checkEvents(url: string, expected: number): Promise<void> {
  const { envelopes } = (await (await fetch(url)).json()) as { envelopes: unknown[] };
  if (envelopes.length !== expected)
    throw new Error(`There are ${envelopes.length} events, not ${expected}.`);
}

/** The comparison must find the difference: one without a result would be fast. */
async function checkDifference(url: string, expected: number): Promise<void> {
  const { difference } = (await (await fetch(url)).json()) as {
    difference: { sides: ({ messageIndex: number } | null)[] } | null;
  };
  const at = difference?.sides[0]?.messageIndex;
  if (at !== expected) throw new Error(`The sessions differ at message ${at}, not ${expected}.`);
}

/** Model calls of a turn, each with a tool call; their messages, and their events. */
const CALLS_A_TURN = 20;
const MESSAGES_A_TURN = 1 + 2 * CALLS_A_TURN;
const EVENTS_A_TURN = 2 + 5 * CALLS_A_TURN;

/**
 * @param differsFrom the first turn with other texts than a session without it
 * @returns the session's id
 */
async function writeSession(folder: string, turns: number, differsFrom = turns): Promise<string> {
  const sessionId = uuidOf(seeded(turns + differsFrom));
  const file = path.join(folder, TENANT, `${sessionId}.jsonl`);
  await writeLines(file, records(sessionId, turns, differsFrom));
  return sessionId;
}

const BEGIN = Date.UTC(2026, 6, 1);

function* records(sessionId: string, turns: number, differsFrom: number): Generator<string> {
  const random = seeded(3);
  let parentUuid: string | null = null;
  let second = 0;
  const record = (type: "user" | "assistant", message: object): string => {
    const uuid = uuidOf(random);
    const timestamp = new Date(BEGIN + second++ * 1_000).toISOString();
    const line = { parentUuid, uuid, sessionId, type, timestamp, cwd: "/home/ada/shop", message };
    parentUuid = uuid;
    return JSON.stringify(line);
  };
  for (let n = 0; n < turns * CALLS_A_TURN; n++) {
    const more = n < differsFrom * CALLS_A_TURN ? "" : " In another way.";
    if (n % CALLS_A_TURN === 0)
      yield record("user", { role: "user", content: `${prose(random, 200)}${more}` });
    const id = `toolu_${n}`;
    const input = { file_path: `/home/ada/shop/src/part-${n % 300}.ts` };
    yield record("assistant", {
      ...{ id: `msg_${n}`, role: "assistant", model: "claude-sonnet-4-5", type: "message" },
      content: [
        { type: "text", text: `${prose(random, 100)}${more}` },
        { type: "tool_use", id, name: n % 3 === 0 ? "Edit" : "Read", input },
      ],
      usage: {
        ...{ input_tokens: 10, output_tokens: 120, cache_creation_input_tokens: 600 },
        cache_read_input_tokens: 20_000 + (n % 200) * 600,
      },
    });
    const content = [{ type: "tool_result", tool_use_id: id, content: prose(random, 600) }];
    yield record("user", { role: "user", content });
  }
}
