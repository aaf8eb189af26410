import { expect, it } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { SummarizeSession } from "../../src/application/questions/summarize-session.js";
import { appendLines, emptySession } from "../support/data-directory.js";

const KEY = { tenantId: "acme", sessionId: "s1" };

/** The records take several batches. */
function records(calls: number): string[] {
  const at = (i: number) => new Date(Date.UTC(2026, 0, 1) + i).toISOString();
  return Array.from({ length: calls }, (_, i) => [
    { type: "tool.start", toolName: "Read", toolCallId: `c${i}`, input: { path: `file-${i}.ts` } },
    { type: "tool.end", toolName: "Read", toolCallId: `c${i}`, output: `${i} `.repeat(200) },
  ])
    .flat()
    .map((event, i) =>
      JSON.stringify({
        ...{ id: `e${i}`, traceId: "t", sequence: i + 1, timestamp: at(i), source: "runtime" },
        event,
      }),
    );
}

async function summaryOf(dataDir: string, threads: false | 1) {
  const source = createFilesystemInspectorDataSource(dataDir, { threads });
  try {
    const answer = await new SummarizeSession(source).execute(KEY);
    return answer.isUnchanged ? undefined : answer.value;
  } finally {
    await source.close?.();
  }
}

it("is the same where the host's own event loop reads the files, one batch after the other", async () => {
  const { dataDir, session, trace } = await emptySession(KEY.tenantId, KEY.sessionId);
  await appendLines(session, ['{"type":"init","createdAt":1}']);
  await appendLines(trace, records(2_000));
  const summary = await summaryOf(dataDir, false);
  expect(summary?.counts.toolCalls).toBe(2_000);
  expect(summary).toEqual(await summaryOf(dataDir, 1));
});

it("is read once where it is asked for twice at a time", async () => {
  const { dataDir, session, trace } = await emptySession(KEY.tenantId, KEY.sessionId);
  await appendLines(session, ['{"type":"init","createdAt":1}']);
  await appendLines(trace, records(200));
  const source = createFilesystemInspectorDataSource(dataDir);
  try {
    const summaries = new SummarizeSession(source);
    const [one, other] = await Promise.all([summaries.execute(KEY), summaries.execute(KEY)]);
    if (one.isUnchanged || other.isUnchanged) throw new Error("nothing was known before");
    expect(one.value).toBe(other.value);
  } finally {
    await source.close?.();
  }
});
