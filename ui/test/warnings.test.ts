import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, failedRow } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveSource } from "./fixtures/serve-app.js";

describeInBrowser("records that cannot be read", () => {
  let folder: string;

  const sessionFolder = (sessionId: string) => path.join(folder, "tenants/shop/sessions", sessionId);
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
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const server = serveSource(() => createFilesystemInspectorDataSource(folder));

  const open = async (tab: string, sessionId = "torn") => {
    await server.open(`#/s/shop/${sessionId}/${tab}`);
  };
  const isMissing = async (summary: string, ...records: readonly unknown[]) => {
    await page.getByText(summary, { exact: true }).click();
    const items = page.getByRole("dialog").getByRole("listitem");
    await expect.poll(() => items.allTextContents()).toEqual(records);
  };

  it("are named with the trace, with those of the orchestration in it", async () => {
    await open("trace");
    await isMissing(
      "2 records could not be read",
      expect.stringMatching(/^trace\/events\.jsonl:2 .*JSON/),
      expect.stringMatching(/^orchestration\/events\.jsonl:2 .*JSON/),
    );
    await failedRow().waitFor();
  });

  it("are named with the agents", async () => {
    await open("agents");
    await isMissing("1 record could not be read", expect.stringContaining("orchestration/events.jsonl:2"));
    await page.getByRole("treegrid", { name: "Agents" }).waitFor();
  });

  it("are named with the messages, and with the contexts that are made of them", async () => {
    await open("messages");
    await isMissing("1 record could not be read", expect.stringContaining("messages.jsonl:2"));
    await button(/Bash npm test -- checkout.*failed/).waitFor();
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
