import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { describeInBrowser } from "./browser/browser.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveSource, type TestServer } from "./fixtures/serve-app.js";

describeInBrowser("records that cannot be read", (visitor) => {
  let folder: string;
  let server: TestServer;
  let page: Page;

  const sessionFolder = (sessionId: string) => path.join(folder, "tenants/shop/sessions", sessionId);
  /** Writes the lists of a session, each with a line in it that is no JSON. */
  const writeTorn = (sessionId: string, lists: { readonly [file: string]: readonly unknown[] }) => {
    for (const [file, records] of Object.entries(lists)) {
      const place = path.join(sessionFolder(sessionId), file);
      mkdirSync(path.dirname(place), { recursive: true });
      const lines = records.map((record) => JSON.stringify(record));
      writeFileSync(place, [...lines.slice(0, 1), '{"torn', ...lines.slice(1), ""].join("\n"));
    }
  };

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "inspector-warnings-"));
    const { envelopes, messages, orchestrationEvents } = checkoutSession();
    writeTorn("torn", {
      "trace/events.jsonl": envelopes!,
      "messages.jsonl": messages!,
      "orchestration/events.jsonl": orchestrationEvents!,
    });
    writeTorn("nothing", { "messages.jsonl": [] });
    appendFileSync(path.join(sessionFolder("nothing"), "messages.jsonl"), "\n");
    server = await serveSource(createFilesystemInspectorDataSource(folder));
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    await page.context().close();
    expect(visitor.errors.splice(0)).toEqual([]);
  });

  const open = async (tab: string, sessionId = "torn") => {
    page = await visitor.open(`${server.address}/#/s/shop/${sessionId}/${tab}`);
  };
  /** What the header says is missing, unfolded. */
  const missing = async (summary: string) => {
    await page.getByText(summary, { exact: true }).click();
    return page.getByRole("banner").or(page.locator("details")).getByRole("listitem").allTextContents();
  };

  it("are named with the trace, with those of the orchestration in it", async () => {
    await open("trace");
    expect(await missing("2 records could not be read")).toEqual([
      expect.stringMatching(/^trace\/events\.jsonl:2 .*JSON/),
      expect.stringMatching(/^orchestration\/events\.jsonl:2 .*JSON/),
    ]);
    await page.getByRole("row", { name: /Bash npm test -- checkout ✕ FAIL/ }).waitFor();
  });

  it("are named with the agents", async () => {
    await open("agents");
    expect(await missing("1 record could not be read")).toEqual([
      expect.stringContaining("orchestration/events.jsonl:2"),
    ]);
    await page.getByRole("grid", { name: "What each agent was asked" }).waitFor();
  });

  it("are named with the messages, and with the contexts that are made of them", async () => {
    await open("messages");
    expect(await missing("1 record could not be read")).toEqual([
      expect.stringContaining("messages.jsonl:2"),
    ]);
    await page.getByRole("button", { name: /Bash npm test -- checkout.*failed/ }).waitFor();
    await page.keyboard.press("4");
    await page.getByText("3 records could not be read").waitFor();
  });

  it("are named where nothing else is left", async () => {
    await open("messages", "nothing");
    await page.getByText("No messages were recorded").waitFor();
    await page.getByText("1 record could not be read").waitFor();
  });

  it("are named as soon as there are some, though nothing else has changed", async () => {
    await open("trace");
    await page.getByText("2 records could not be read").waitFor();
    appendFileSync(path.join(sessionFolder("torn"), "trace/events.jsonl"), "no JSON at all\n");
    await page.getByText("3 records could not be read").waitFor({ timeout: 45_000 });
  });
});
