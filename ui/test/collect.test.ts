import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOtlpDataSource } from "../../src/otlp.js";
import { createOtlpReceiver, type OtlpReceiver } from "../../src/otlp-receiver.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { row } from "./browser/page.js";
import { serveSource, serving, TestServer } from "./fixtures/serve-app.js";

/** The page polls at intervals. */
const POLLED = { timeout: 45_000 };

describeInBrowser("spans that are received", () => {
  let directory: string;
  let receiver: OtlpReceiver;

  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), "collected-"));
    receiver = createOtlpReceiver({ directory, threads: false });
  });
  afterAll(async () => {
    await receiver.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const receiving = serving(new TestServer(() => receiver.app));
  const server = serveSource(() => createOtlpDataSource({ directory, threads: false }));

  async function send(
    id: number,
    name: string,
    attributes: Readonly<Record<string, string>>,
    parent?: number,
  ) {
    const spanId = (n: number) => n.toString(16).padStart(16, "0");
    const now = Date.now();
    const span = {
      ...{ traceId: "a".repeat(32), spanId: spanId(id), name, kind: 1 },
      ...(parent === undefined ? {} : { parentSpanId: spanId(parent) }),
      startTimeUnixNano: `${now - 1_000}000000`,
      endTimeUnixNano: `${now}000000`,
      attributes: Object.entries({ "gen_ai.conversation.id": "s1", ...attributes }).map(
        ([key, stringValue]) => ({ key, value: { stringValue } }),
      ),
    };
    const answer = await fetch(`${receiving.address}/v1/traces`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
    });
    const result: unknown = await answer.json();
    expect([answer.status, result]).toEqual([200, {}]);
  }

  it("become a session that the page shows, and goes on to show while more of them come", async () => {
    await server.open("");
    await page
      .getByText(/no sessions/i)
      .first()
      .waitFor();
    const tool = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "weather" };
    await send(2, "execute_tool weather", tool, 1);
    const session = page.getByRole("link", { name: /s1/ }).first();
    await session.waitFor(POLLED);
    await session.click();
    await page.getByRole("link", { name: "Trace" }).click();
    await page
      .getByRole("row", { name: /weather/ })
      .first()
      .waitFor();
    await send(3, "execute_tool clock", { ...tool, "gen_ai.tool.name": "clock" }, 1);
    await row(/clock/).first().waitFor(POLLED);
    await send(1, "invoke_agent guide", {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "guide",
    });
    await expect.poll(() => row(/turn/i).count(), POLLED).toBeGreaterThan(0);
  });
});
