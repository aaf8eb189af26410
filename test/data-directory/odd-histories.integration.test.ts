import { truncate, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { envelopeOfOwnTrace } from "../../bench/hostile/odd-files.js";
import { oddHistories } from "../../bench/hostile/odd-histories.js";
import { createFilesystemInspectorDataSource, createInspectorRoute } from "../../src/advanced.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { emptySession, temporaryFolder } from "../support/data-directory.js";

const SOURCES = {
  "data-directory": createFilesystemInspectorDataSource,
  "claude-code": createClaudeCodeDataSource,
};

const SIZES = { bytes: 2 ** 20, lines: 5_000, ids: 1_000 };

describe("a history with an odd file", () => {
  it.each(oddHistories(SIZES))("$name: every list is answered", async (history) => {
    const folder = await temporaryFolder();
    history.write(folder);
    const source = SOURCES[history.source](folder, { threads: false });
    const route = createInspectorRoute(source);
    const get = async (path: string) => {
      const response = await route.request(
        `${path}${path.includes("?") ? "&" : "?"}tenantId=${history.tenantId}`,
      );
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const session = `/sessions/${history.sessionId}`;
    expect(await get("/sessions")).toMatchObject({
      status: 200,
      body: { sessions: [{ sessionId: history.sessionId }] },
    });
    for (const list of ["trace?limit=10", "messages?limit=10", "orchestration"]) {
      expect(await get(`${session}/${list}`)).toMatchObject({ status: 200 });
    }
  });

  it("a checkpoint that is too long is a warning, and the events are replayed", async () => {
    const history = oddHistories({ ...SIZES, bytes: 2 ** 25 }).find(
      ({ name }) => name === "a huge checkpoint",
    )!;
    const folder = await temporaryFolder();
    history.write(folder);
    const source = createFilesystemInspectorDataSource(folder, { threads: false });
    expect((await source.loadOrchestrationState("default", "s"))?.warnings).toEqual([
      {
        file: "orchestration/checkpoint.json",
        line: 1,
        reason: "is longer than 16 MiB: the agents are those of the events alone",
      },
    ]);
  });

  it("the last event in front of a long hole tells when the session was active", async () => {
    const { dataDir, trace } = await emptySession();
    await writeFile(trace, `${envelopeOfOwnTrace(0)}\n`);
    await truncate(trace, 200 * 1024 * 1024);
    const source = createFilesystemInspectorDataSource(dataDir, { threads: false });
    expect(await source.listSessions()).toMatchObject([{ lastActive: "2026-01-15T12:00:00.000Z" }]);
  });
});
