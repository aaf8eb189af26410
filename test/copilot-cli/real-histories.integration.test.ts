import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { readRecord } from "../../src/adapters/formats/copilot-cli/parts.js";
import type { JsonObject } from "../../src/domain/json/json.js";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { inventedFolder } from "../support/invented/histories.js";
import { SHARED_DATA, sharedHistories } from "../support/shared-data.js";
import { describeShared } from "../support/shared-suites.js";
import { openHome, sourceOf } from "./support/homes.js";

const HISTORIES = path.join(SHARED_DATA, "copilot-cli");

interface Golden {
  readonly turns: readonly string[];
  readonly modelCalls: number;
  /** input, cached, output: sums of the calls, of the totals where calls hold none, and of compactions. */
  readonly tokens: readonly [input: number, cached: number, output: number];
  readonly tools: Readonly<Record<string, number>>;
  readonly errors: readonly [tools: number, requests: number];
  readonly thoughts: number;
  readonly texts: number;
  readonly messages: number;
  readonly agents: number;
  readonly title: string;
  readonly model: string;
  readonly version: string;
  readonly answer: string | undefined;
}

/** Another program counted these in the files, and a person checked them. */
const GOLDEN: Readonly<Record<string, Golden>> = {
  // Eleven answers and the call of the compaction; the totals at its end say 14,400, 7,200 and 525 without that.
  "afc742cf-6a96-4e32-bbd8-071c36f84a36": {
    turns: ["completed", "completed", "failed", "completed"],
    modelCalls: 12,
    tokens: [15_400, 7_700, 565],
    tools: { bash: 2, view: 2, create: 1, edit: 1, task: 1, glob: 1 },
    errors: [1, 1],
    thoughts: 0,
    texts: 6,
    messages: 23,
    agents: 1,
    title: "Add a sum function [s:build]",
    model: "mock-1",
    version: "1.0.102",
    answer: "Carrying on.",
  },
  "1afc31c8-d97f-4331-bae9-b6417f1b79a9": {
    turns: ["completed"],
    modelCalls: 1,
    tokens: [0, 0, 0],
    tools: {},
    errors: [0, 0],
    thoughts: 0,
    texts: 1,
    messages: 3,
    agents: 0,
    title: "[[ ## user_query ## ]] What is 2+2?",
    model: "gpt-5.3-codex-spark",
    version: "1.0.64-1",
    answer: "2 + 2 is **4**.",
  },
  // Its only call has only its output; the totals have the input.
  "487fbe81-e917-46ad-a7c6-bf31cba53339": {
    turns: ["completed"],
    modelCalls: 1,
    tokens: [15_517, 0, 45],
    tools: {},
    errors: [0, 0],
    thoughts: 0,
    texts: 0,
    messages: 3,
    agents: 0,
    title: "[[ ## user_query ## ]] Reply with AGENTV_SDK_CHILD_RUNNER_READY only.",
    model: "gpt-5.4-mini",
    version: "1.0.68",
    answer: undefined,
  },
  // The copy of a continued session: it has no totals.
  "378ab881-f02f-435c-9673-0c8d7c7d6bef": {
    turns: ["completed"],
    modelCalls: 13,
    tokens: [0, 0, 8_924],
    tools: {
      skill: 2,
      report_intent: 4,
      view: 13,
      glob: 2,
      bash: 2,
      rg: 4,
      apply_patch: 2,
      sql: 2,
      ask_user: 1,
      exit_plan_mode: 1,
    },
    errors: [0, 0],
    thoughts: 11,
    texts: 6,
    messages: 50,
    agents: 0,
    title: "analise o projeto e veja o que pode ser modularizado",
    model: "gpt-5.4",
    version: "1.0.40",
    answer: "**Plano criado e salvo** em `~/.copilot/session-state/378ab881-f02f-43",
  },
  // Its authors trimmed it: half of the texts and instants are missing, and three answers without ids are one call.
  small: {
    turns: ["cancelled"],
    modelCalls: 3,
    tokens: [0, 0, 15],
    tools: { shell: 1, "[trimmed for fixture]": 1 },
    errors: [3, 1],
    thoughts: 3,
    texts: 5,
    messages: 11,
    agents: 1,
    title: "List the files",
    model: "gpt-5-mini",
    version: "1.0.77",
    answer: "[trimmed for fixture]",
  },
};

const folders = sharedHistories("copilot-cli").filter(({ name }) => !name.startsWith("schema-"));

describeShared("real histories of Copilot CLI", () => {
  it("are five sessions, each as it was counted by hand", async () => {
    const seen: string[] = [];
    for (const { folder } of folders) {
      const source = openHome(folder);
      for (const item of await source.listSessions()) {
        seen.push(item.sessionId);
        const golden = GOLDEN[item.sessionId]!;
        const trace = await source.loadTraceEnvelopes(item.tenantId, item.sessionId);
        const of = (type: string) => trace.map(({ event }) => event).filter((event) => event.type === type);
        const tools: Record<string, number> = {};
        for (const { toolName } of of("tool.start")) tools[`${toolName}`] = (tools[`${toolName}`] ?? 0) + 1;
        const [inputTokens, cacheReadTokens, outputTokens] = golden.tokens;
        const counted = {
          inputTokens: inputTokens - cacheReadTokens,
          outputTokens,
          cacheReadTokens,
          cacheWriteTokens: 0,
        };
        // Without any counts, there is no usage.
        expect(item.usage).toEqual(inputTokens + outputTokens === 0 ? undefined : counted);
        const { title, model, answer } = golden;
        expect(item).toMatchObject({
          title,
          model,
          errors: golden.errors[0] + golden.errors[1],
          status: "idle",
        });
        expect(item.lastAnswer?.slice(0, answer?.length)).toBe(answer);
        expect(item.warnings).toBeUndefined();
        expect(of("session.start")[0]).toMatchObject({ version: golden.version, cwd: item.directory });
        expect(of("llm.start")).toHaveLength(golden.modelCalls);
        expect(of("llm.end")).toHaveLength(golden.modelCalls);
        expect(tools).toEqual(golden.tools);
        expect(of("tool.end").filter(({ isError }) => isError)).toHaveLength(golden.errors[0]);
        expect(of("error")).toHaveLength(golden.errors[1]);
        expect(of("thinking")).toHaveLength(golden.thoughts);
        expect(of("text").filter(({ role }) => role === "assistant")).toHaveLength(golden.texts);
        const own = of("turn.end").filter(({ agentId }) => agentId === undefined);
        expect(own.map(({ outcome }) => outcome).sort()).toEqual([...golden.turns].sort());
        expect(await source.loadMessages(item.tenantId, item.sessionId)).toHaveLength(golden.messages);
        const events = (await source.loadOrchestrationEvents(item.tenantId, item.sessionId)) as JsonObject[];
        expect(events.filter(({ type }) => type === "agent_spawned")).toHaveLength(golden.agents);
      }
    }
    expect(seen.sort()).toEqual(Object.keys(GOLDEN).sort());
  });

  it("hold no type of record that is not known, nor does the schema of what is stored", async () => {
    const definitions = Object.values(
      JSON.parse(await readFile(path.join(HISTORIES, "schema-sdk-1.0.14/session-events.schema.json"), "utf8"))
        .definitions as Record<string, JsonObject>,
    );
    const stored = definitions.flatMap(({ properties }) => {
      const { type, data, ephemeral } = (properties ?? {}) as Record<string, JsonObject | undefined>;
      return data !== undefined && ephemeral !== undefined && ephemeral.const !== true ? [type!.const] : [];
    });
    expect(stored.length).toBeGreaterThan(60);
    const files = readdirSync(HISTORIES, { recursive: true, encoding: "utf8" }).filter((name) =>
      /jsonl$/.test(name),
    );
    const texts = await Promise.all(files.map((name) => readFile(path.join(HISTORIES, name), "utf8")));
    const found = texts
      .flatMap((text) => text.trim().split("\n"))
      .map((line) => (JSON.parse(line) as JsonObject).type);
    const unknown = [...stored, ...found].filter((type) => readRecord({ type }, 1).unknownType !== undefined);
    expect(unknown).toEqual([]);
    expect(readRecord({ type: "session.later" }, 1).unknownType).toBe("session.later");
  });

  it("state the same tokens at their end, without those of compactions", async () => {
    const [item] = await openHome(path.join(HISTORIES, "run-1.0.102")).listSessions();
    const compaction = { inputTokens: 500, outputTokens: 40, cacheReadTokens: 500, cacheWriteTokens: 0 };
    const stated = { inputTokens: 7_200, outputTokens: 525, cacheReadTokens: 7_200, cacheWriteTokens: 0 };
    const sums = Object.entries(stated).map(([name, count]) => [
      name,
      count + compaction[name as "inputTokens"],
    ]);
    expect(item!.usage).toEqual(Object.fromEntries(sums));
  });
});

describeDerivedSource(
  "copilot-cli",
  sourceOf,
  [{ name: "invented", folder: inventedFolder("copilot-cli") }, ...folders],
  { isHistory: (file) => file.endsWith(".jsonl") },
);
