import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createOtlpDataSource } from "../../src/otlp.js";
import { createOtlpReceiver, type OtlpReceiver } from "../../src/otlp-receiver.js";
import { describeInBrowser } from "./browser/browser.js";
import { serveSource, TestServer } from "./fixtures/serve-app.js";

/** The page reads again at its own pace. */
const POLLED = { timeout: 45_000 };

describeInBrowser("spans that are received", (visitor) => {
  let directory: string;
  let receiver: OtlpReceiver;
  let receiving: TestServer;
  let server: TestServer;
  let page: Page;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "collected-"));
    receiver = createOtlpReceiver({ directory, threads: false });
    receiving = new TestServer(receiver.app);
    await receiving.start();
    server = await serveSource(createOtlpDataSource({ directory, threads: false }));
  });
  afterAll(async () => {
    await Promise.all([server.stop(), receiving.stop(), receiver.close()]);
    await rm(directory, { recursive: true, force: true });
  });
  afterEach(() => page.context().close());

  /** Sends a span of session s1 that ends now. */
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
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
  }

  it("become a session that the page shows, and goes on to show while more of them come", async () => {
    page = await visitor.open(`${server.address}/`);
    await page
      .getByText(/no sessions/i)
      .first()
      .waitFor();
    const tool = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "weather" };
    await send(2, "execute_tool weather", tool, 1);
    const row = page.getByRole("link", { name: /s1/ }).first();
    await row.waitFor(POLLED);
    await row.click();
    await page.getByRole("link", { name: "Trace" }).click();
    await page
      .getByRole("row", { name: /weather/ })
      .first()
      .waitFor();
    await send(3, "execute_tool clock", { ...tool, "gen_ai.tool.name": "clock" }, 1);
    await page.getByRole("row", { name: /clock/ }).first().waitFor(POLLED);
    await send(1, "invoke_agent guide", {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "guide",
    });
    await expect.poll(() => page.getByRole("row", { name: /turn/i }).count(), POLLED).toBeGreaterThan(0);
    expect(visitor.errors).toEqual([]);
  });
});
