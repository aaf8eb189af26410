import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, choose, details, go, hash } from "./browser/page.js";
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
  const whose = () => page.getByRole("combobox", { name: "Agent of the conversation" });
  const head = () => page.getByRole("region", { name: "Task of the sub-agent" });

  it("are chosen among the messages, and the choice is in the address", async () => {
    await at("messages?at=3");
    await choose("Agent of the conversation", "where totals are computed");
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

  it("lead to the call that asked for them, with its result, and back", async () => {
    await at("messages?agent=agent-1");
    await head().getByRole("link", { name: "Prompt by Main agent" }).click();
    const call = page.getByRole("article").filter({ hasText: "where totals are computed" }).first();
    const back = call.getByRole("link", { name: "Conversation of where totals are computed" });
    await back.click();
    await page.getByText("10 messages").waitFor();
    await expect.poll(hash).toBe("#/s/shop/checkout/messages?agent=agent-1");
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
    // 80 new, 4,100 from a cache and 300 written to it.
    await page.getByText("4.5k reported by provider").waitFor();
    await page.getByRole("link", { name: "Show in trace" }).click();
    await details().getByRole("link", { name: "Context at this call" }).click();
    await page.getByText("Call 4 of 5").waitFor();
  });
});
