import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import type { InspectorSessionItem } from "../../src/domain/session/session.js";
import type { SessionSummary } from "../../src/domain/summary/session-summary.js";
import { createOtlpDataSource } from "../../src/otlp.js";
import { homeFolder, run } from "../support/command-line.js";
import { inspect } from "../support/inspector.js";
import { agent, call, jsonLines, request, span, traceId } from "./support/spans.js";

const uncounted = (id: number, error?: string) =>
  span({
    ...{ id, parent: 1, name: "chat m", from: 1, to: 2 },
    ...(error === undefined ? {} : { error }),
    attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" },
  });

async function fileOf(...spans: readonly object[]): Promise<string> {
  const file = path.join(await homeFolder(), "spans.jsonl");
  await writeFile(file, jsonLines(request(...spans)));
  return file;
}

async function answersOf(file: string) {
  const source = createOtlpDataSource({ directory: file, threads: false });
  const { ask } = inspect(source);
  const list = (await ask("/sessions")).body as { sessions: readonly InspectorSessionItem[] };
  const { body } = await ask(`/sessions/${traceId()}/summary?tenantId=shop`);
  await source.close?.();
  return { session: list.sessions[0]!, summary: body as unknown as SessionSummary };
}

it("tells no usage of spans without token counts, and no cost: neither is 0", async () => {
  const { session, summary } = await answersOf(await fileOf(agent({ from: 0, to: 9 }), uncounted(2)));
  expect(session).toMatchObject({ turns: 1, tokens: 0, model: "m" });
  expect(session).not.toHaveProperty("usage");
  expect(session).not.toHaveProperty("cost");
  expect(summary.total).toMatchObject({ calls: 1, uncountedCalls: 1 });
  const counted = await answersOf(await fileOf(agent({ from: 0, to: 9 }), call({ id: 2, from: 1, to: 2 })));
  expect(counted.session).toMatchObject({ tokens: 59, usage: { inputTokens: 50, outputTokens: 9 } });
});

it("says so in the place of zeros and $0.00 on the command line", async () => {
  await fileOf(agent({ from: 0, to: 9 }), uncounted(2));
  const list = await run("list", "spans.jsonl");
  expect(list.stderr).toContain("no token counts are recorded");
  expect(list.stdout).toMatch(/ +1 +- +0 +- +shop\//);
  const { stdout } = await run("summary", traceId(), "spans.jsonl");
  expect(stdout).toMatch(/^Tokens +no token counts are recorded$/m);
  expect(stdout).not.toMatch(/\$0\.00|^(Cost|Read|Written) /m);
});

it("is no retrying where one call failed that nobody tried again", async () => {
  const failed = span({
    ...{ id: 2, parent: 1, name: "chat m", from: 0, to: 9, error: "overloaded" },
    attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m" },
  });
  const { summary } = await answersOf(await fileOf(agent({ from: 0, to: 9 }), failed));
  expect(summary.counts).toMatchObject({ modelCalls: 1, failedModelCalls: 1 });
  expect(summary.time.classes).toMatchObject({ model: 9_000, retrying: 0 });
});
