import { appendFile, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type SessionFiles, sessionFiles } from "../../src/adapters/data-directory/session-files.js";
import type { InspectorDataSource } from "../../src/index.js";
import { makeFolders, temporaryFolder } from "../support/data-directory.js";
import { filesystemSource } from "../support/sources.js";

const BEGIN = Date.UTC(2026, 0, 15, 12);

interface Given {
  readonly files: SessionFiles;
  readonly source: InspectorDataSource;
  readonly tokens: () => Promise<number | undefined>;
}

async function session(): Promise<Given> {
  const dataDir = await temporaryFolder();
  const files = sessionFiles(dataDir, "acme", "s1");
  await makeFolders(files);
  await writeFile(files.session, `${JSON.stringify({ type: "init", createdAt: BEGIN })}\n`);
  await writeFile(files.trace, "");
  const source = filesystemSource(dataDir);
  const tokens = async () => (await source.listSessions())[0]?.tokens;
  return { files, source, tokens };
}

/** `second`: after the beginning. */
function call(second: number, outputTokens: number, size = 100): string {
  const timestamp = new Date(BEGIN + second * 1_000).toISOString();
  const event = { type: "llm.end", content: "x".repeat(size), usage: { outputTokens } };
  return JSON.stringify({ id: `c${second}`, timestamp, sequence: second, traceId: "t", event });
}

function turn(second: number, outputTokens: number): string {
  return `${JSON.stringify({ type: "turn", outputTokens, updatedAt: BEGIN + second * 1_000 })}\n`;
}

describe("The tokens of a turn that is not recorded yet", () => {
  it("are those of the model calls behind the newest turn record, however long the trace is", async () => {
    const { files, tokens } = await session();
    const lines = Array.from({ length: 3_000 }, (_, i) => call(i, 1, 500));
    await writeFile(files.trace, `${lines.join("\n")}\n`);
    expect(await tokens()).toBe(3_000);
    await appendFile(files.session, turn(2_899, 7));
    expect(await tokens()).toBe(7 + 100);
    await appendFile(files.trace, `${call(3_000, 10, 200_000)}\n${call(3_001, 1)}\n`);
    expect(await tokens()).toBe(7 + 111);
    await appendFile(files.session, turn(3_001, 111));
    expect(await tokens()).toBe(7 + 111);
  });

  it("are counted once, also where the last line is still being written", async () => {
    const { files, tokens } = await session();
    let expected = 0;
    for (let second = 0; second < 12; second++) {
      const line = call(second, second + 1, 2_000);
      await appendFile(files.trace, line.slice(0, 50));
      expect(await tokens()).toBe(expected);
      await appendFile(files.trace, line.slice(50));
      expected += second + 1;
      expect(await tokens()).toBe(expected);
      await appendFile(files.trace, "\n");
      expect(await tokens()).toBe(expected);
    }
  });

  it("are counted anew of a trace that was written over", async () => {
    const { files, tokens } = await session();
    await writeFile(files.trace, `${call(1, 5, 9_000)}\n${call(2, 6, 9_000)}\n`);
    expect(await tokens()).toBe(11);
    const text = await readFile(files.trace, "utf8");
    await writeFile(files.trace, text.replace('"outputTokens":5', '"outputTokens":9').slice(0, -1));
    expect(await tokens()).toBe(15);
    await writeFile(files.trace, `${call(1, 2)}\n`);
    expect(await tokens()).toBe(2);
  });

  it("are those of calls that began behind the newest turn record, where it is known when they began", async () => {
    const { files, tokens } = await session();
    const event = (second: number, type: string, callId: string, usage?: object) => {
      const timestamp = new Date(BEGIN + second * 1_000).toISOString();
      return `${JSON.stringify({ timestamp, traceId: "t", event: { type, callId, usage } })}\n`;
    };
    await appendFile(files.trace, event(1, "llm.start", "late"));
    await appendFile(files.session, turn(2, 7));
    await appendFile(files.trace, event(3, "llm.start", "next"));
    expect(await tokens()).toBe(7);
    await appendFile(files.trace, event(4, "llm.end", "late", { outputTokens: 7 }));
    expect(await tokens()).toBe(7);
    await appendFile(files.trace, event(5, "llm.end", "next", { outputTokens: 9 }));
    expect(await tokens()).toBe(7 + 9);
  });

  it("are none of lines that only mention usage", async () => {
    const { files, tokens } = await session();
    const timestamp = new Date(BEGIN).toISOString();
    const event = { type: "tool.end", output: { usage: { outputTokens: 5 } }, usage: { outputTokens: 6 } };
    const begun = { type: "llm.start", usage: { outputTokens: 7 } };
    const point = { type: "message_end", usage: { outputTokens: 9 } };
    const records = [
      ...[event, begun, point].map((one) => ({ timestamp, event: one })),
      { usage: event.usage },
    ];
    await writeFile(files.trace, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    expect(await tokens()).toBe(0);
  });
});
