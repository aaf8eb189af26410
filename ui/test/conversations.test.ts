import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, choose, details, go, hash, isFocused } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveSource } from "./fixtures/serve-app.js";
import { EXPLORER, withAgentMessages } from "./fixtures/with-agent-messages.js";

describeInBrowser("the conversations of sub-agents", () => {
  const server = serveSource(() =>
    withAgentMessages(createInMemoryInspectorDataSource([checkoutSession()]), EXPLORER),
  );

  const at = async (hash: string) => {
    await server.open(`#/s/shop/checkout/${hash}`);
  };
  const whose = () => page.getByRole("combobox", { name: "Whose conversation" });
  const head = () => page.getByRole("region", { name: "What the sub-agent was for" });

  it("are chosen among the messages, and the choice is in the address", async () => {
    await at("messages?at=3");
    await choose("Whose conversation", "where totals are computed");
    await page.getByText("10 messages").waitFor();
    await expect.poll(hash).toBe("#/s/shop/checkout/messages?agent=agent-1");
    await page.getByRole("article").getByText("Look into where totals are computed").waitFor();
    await head().getByText("4 tool calls, 4 model calls").waitFor();
    await page.reload();
    await page.getByText("10 messages").waitFor();
    await expect.poll(() => whose().textContent()).toContain("where totals are computed");
    await page.goBack();
    await page.getByText("Expected: 0.3").waitFor();
    await expect.poll(() => head().count()).toBe(0);
  });

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

  it("lead to the call that asked for them, with its result, and back", async () => {
    await at("messages?agent=agent-1");
    await head().getByRole("link", { name: "Asked by Main agent" }).click();
    const call = page.getByRole("article").filter({ hasText: "where totals are computed" }).first();
    const back = call.getByRole("link", { name: "Conversation of where totals are computed" });
    await back.click();
    await page.getByText("10 messages").waitFor();
    await expect.poll(hash).toBe("#/s/shop/checkout/messages?agent=agent-1");
  });

  it("lead from their answer to where it was used", async () => {
    await at("messages?agent=agent-1");
    await head().locator("summary").click();
    await head().getByRole("link", { name: "Where Main agent was given it, and went on" }).click();
    await page.getByRole("article").filter({ hasText: "where totals are computed" }).first().waitFor();
    await expect.poll(hash).toMatch(/^#\/s\/shop\/checkout\/messages\?.*call=/);
  });

  it("are one click from the call in the trace, and from the agent", async () => {
    await at("trace?tool=Task");
    await page.getByRole("row").filter({ hasText: "Task" }).first().click();
    await details().getByRole("link", { name: "Conversation of where totals are computed" }).click();
    await page.getByText("10 messages").waitFor();
    await go("#/s/shop/checkout/agents?agent=agent-1");
    await page.getByRole("link", { name: "Show conversation" }).click();
    await page.getByText("10 messages").waitFor();
  });

  it("have contexts, matched to the model calls of the trace", async () => {
    await at("messages?agent=agent-1");
    await page.getByRole("link", { name: "Context" }).first().click();
    await page.getByText("Call 5 of 5").waitFor();
    await expect.poll(hash).toBe("#/s/shop/checkout/context?agent=agent-1");
    await button("Previous call").click();
    await page.getByText("Call 4 of 5").waitFor();
    // 80 of its own, 4,100 from a cache and 300 for it.
    await page.getByText("4.5k reported by provider").waitFor();
    await page.getByRole("link", { name: "Show in trace" }).click();
    await details().getByRole("link", { name: "Context at this call" }).click();
    await page.getByText("Call 4 of 5").waitFor();
  });

  it("are shown as what they were for where none is kept", async () => {
    await at("messages?agent=agent-3");
    await page.getByText("No conversation of this sub-agent is kept").waitFor();
    await head().getByText("Look into rounding in the tax module and report back.").last().waitFor();
    await head().getByText("The sub-agent ran out of turns.").waitFor();
    await page.getByRole("link", { name: "Context" }).first().click();
    await page.getByText("It is not known what this sub-agent saw").waitFor();
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
    const origins = page.getByRole("group", { name: "Where it came from" });
    await origins.getByText("by a compaction").waitFor();
    await origins.getByRole("link", { name: "call 6" }).waitFor();
    await origins.getByRole("link", { name: "Read of src/cart/total.ts" }).click();
    await details().getByRole("heading", { name: "Read" }).waitFor();
  });

  it("name the agent that asked as where the first words came from", async () => {
    await at("context?agent=agent-1&call=1");
    const origins = page.getByRole("group", { name: "Where it came from" });
    await origins.getByRole("link", { name: "the agent that asked" }).click();
    await page.getByRole("link", { name: "Conversation of where totals are computed" }).waitFor();
  });

  it("are searched within what a call saw, and the search is in the address", async () => {
    await at("context?call=12");
    await page.getByRole("searchbox", { name: "Search what the call saw" }).fill("ok 3");
    await page.getByText("1 message", { exact: true }).waitFor();
    await expect.poll(hash).toContain("find=ok+3");
    await button("Next call").click();
    await page.getByText("1 message", { exact: true }).waitFor();
    await page.getByRole("searchbox", { name: "Search what the call saw" }).fill("no such text");
    await page.getByText("0 messages", { exact: true }).waitFor();
  });
});
