import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, details, hash, isFocused } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveSource } from "./fixtures/serve-app.js";
import { EXPLORER, withAgentMessages } from "./fixtures/with-agent-messages.js";

describeInBrowser("the conversations of sub-agents, in further states", () => {
  const server = serveSource(() =>
    withAgentMessages(createInMemoryInspectorDataSource([checkoutSession()]), EXPLORER),
  );

  const at = async (hash: string) => {
    await server.open(`#/s/shop/checkout/${hash}`);
  };
  const whose = () => page.getByRole("combobox", { name: "Agent of the conversation" });
  const head = () => page.getByRole("region", { name: "Task of the sub-agent" });

  it("keep the focus on the choice, so that the next one can be chosen by keyboard", async () => {
    await at("messages");
    await whose().focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("listbox").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await head().waitFor();
    await expect.poll(() => isFocused(whose())).toBe(true);
  });

  it("lead from their answer to where it was used", async () => {
    await at("messages?agent=agent-1");
    await head().locator("summary").click();
    await head().getByRole("link", { name: "Result received by Main agent" }).click();
    await page.getByRole("article").filter({ hasText: "where totals are computed" }).first().waitFor();
    await expect.poll(hash).toMatch(/^#\/s\/shop\/checkout\/messages\?.*call=/);
  });

  it("are shown as what they were for where none is kept", async () => {
    await at("messages?agent=agent-3");
    await page.getByText("No conversation of this sub-agent is recorded").waitFor();
    await head().getByText("Look into rounding in the tax module and report back.").last().waitFor();
    await head().getByText("The sub-agent ran out of turns.").waitFor();
    await page.getByRole("link", { name: "Context" }).first().click();
    await page.getByText("The context of this sub-agent is not recorded").waitFor();
  });

  it("show an edit what was in the context when it was made", async () => {
    await at("trace?tool=Edit");
    await page.getByRole("row").filter({ hasText: "src/tax.ts" }).click();
    await page.getByRole("link", { name: "Context at this call" }).click();
    await page.getByText("Answer Edit").waitFor();
  });

  it("say of a message of a context where it came from, and lead there", async () => {
    await at("context?call=6&find=sum(items)");
    await page.getByText("1 message", { exact: true }).waitFor();
    await button("export function sum(items)").click();
    const origins = page.getByRole("group", { name: "Origin" });
    await origins.getByText("by a compaction").waitFor();
    await origins.getByRole("link", { name: "call 6" }).waitFor();
    await origins.getByRole("link", { name: "Read of src/cart/total.ts" }).click();
    await details().getByRole("heading", { name: "Read" }).waitFor();
  });

  it("name the parent agent as where the first words came from", async () => {
    await at("context?agent=agent-1&call=1");
    const origins = page.getByRole("group", { name: "Origin" });
    await origins.getByRole("link", { name: "the parent agent" }).click();
    await page.getByRole("link", { name: "Conversation of where totals are computed" }).waitFor();
  });

  it("are searched within what a call saw, and the search is in the address", async () => {
    await at("context?call=12");
    await page.getByRole("searchbox", { name: "Search the context" }).fill("ok 3");
    await page.getByText("1 message", { exact: true }).waitFor();
    await expect.poll(hash).toContain("find=ok+3");
    await button("Next call").click();
    await page.getByText("1 message", { exact: true }).waitFor();
    await page.getByRole("searchbox", { name: "Search the context" }).fill("no such text");
    await page.getByText("0 messages", { exact: true }).waitFor();
  });
});
