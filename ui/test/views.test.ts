import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, details, failedRow, hash, lineCount, row, selectedRow, settled } from "./browser/page.js";
import { checkoutSession, hostileSession, longSession, manySessions } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("the views", () => {
  const sessions = [checkoutSession(), hostileSession(), longSession(2000)];
  const server = serveHistories([...sessions, ...manySessions(400)]);

  const at = (hash: string) => server.open(hash);

  it("lists the sessions, searches, filters, sorts, and keeps that in the address", async () => {
    await at("#/");
    await page.getByText("403 sessions").waitFor();
    await expect.poll(() => page.getByRole("row").count()).toBeLessThan(60);
    await page.getByRole("searchbox").fill("checkout tests");
    await page.getByText("1 session", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Make the checkout tests pass" }).waitFor();
    await page.getByRole("searchbox").fill("");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.keyboard.press("f");
    await page.keyboard.type("status:error ");
    await page.getByRole("columnheader", { name: "Tokens" }).getByRole("button").click();
    await expect.poll(hash).toContain("filter=status%3Aerror");
    await page.reload();
    await page.getByText("37 of 403 sessions").waitFor();
    await button("Remove status:error").waitFor();
    await expect
      .poll(() => page.getByRole("columnheader", { name: "Tokens" }).getAttribute("aria-sort"))
      .toBe("descending");
  });

  it("says what to do where no session matches", async () => {
    await at("#/?filter=user:nobody");
    await button("Clear search and filters").click();
    await page.getByText("403 sessions").waitFor();
  });

  it("shows the session's header, the waterfall, and the output of a failed tool", async () => {
    await at("#/s/shop/checkout/trace");
    await page.getByRole("heading", { name: "Make the checkout tests pass" }).waitFor();
    await page.getByText("Sonnet 4.5 +1").waitFor();
    await failedRow().click();
    await details().getByText("Expected: 0.3").waitFor();
    await button("Raw JSON").click();
    await details().getByText("tool.end").waitFor();
    await page.getByRole("link", { name: "Context at this call" }).click();
    await page.getByText("Call 1 of 23").waitFor();
  });

  it("can be used by the keyboard alone", async () => {
    await at("#/");
    await page.getByText("403 sessions").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("checkout tests");
    await page.getByText("1 session", { exact: true }).waitFor();
    await page.keyboard.press("ArrowDown");
    await selectedRow().getByText("Make the checkout tests pass").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("table", { name: "Context usage" }).waitFor();
    await page.keyboard.press("1");
    await failedRow().waitFor();
    await page.keyboard.press("e");
    await selectedRow().getByText("Bash").waitFor();
    await page.keyboard.press("e");
    await selectedRow().getByText("failed").waitFor();
    await expect.poll(() => selectedRow().getAttribute("aria-level")).toBe("4");
    await page.keyboard.press("/");
    await page.keyboard.type("no such words");
    await page.getByText("no hits", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("3");
    await page
      .getByRole("heading", { name: "Compaction summary" })
      .or(page.getByText("Thinking"))
      .first()
      .waitFor();
    await page.keyboard.press("4");
    await page.getByText("Call 23 of 23").waitFor();
    await page.keyboard.press("[");
    await page.getByText("Call 22 of 23").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("agents");
    await page.keyboard.press("Enter");
    await page.getByRole("treegrid", { name: "Agents" }).waitFor();
    await page.keyboard.press("u");
    await page.getByText("1 session", { exact: true }).waitFor();
    await page.keyboard.press("u");
    await page.getByText("403 sessions").waitFor();
  });

  it("comes back to the selected event after a reload, and says where it lies", async () => {
    await at("#/s/labs/long/trace");
    await page.getByRole("row").nth(5).waitFor();
    await page.keyboard.press("e");
    await page.keyboard.press("e");
    await selectedRow().waitFor();
    await settled();
    const address = page.url();
    const name = await selectedRow().textContent();
    await page.reload();
    await selectedRow().waitFor();
    await settled();
    await expect.poll(() => page.url()).toBe(address);
    await expect.poll(() => selectedRow().textContent()).toBe(name);
  });

  it("filters by kind, tool and errors, and finds text with a count", async () => {
    await at("#/s/shop/checkout/trace?kind=compaction");
    await row(/Compaction/).waitFor();
    await expect.poll(() => page.getByRole("row").count()).toBe(3);
    await button(/^Compaction/).click();
    await page.getByRole("searchbox").fill("nobody knows this type");
    await page.getByText("0 of 1").waitFor();
    await button("Next hit").click();
    await selectedRow().getByText("brand.new.event").waitFor();
    await details().getByText("answer").waitFor();
  });

  it("shows every event by sequence", async () => {
    await at("#/s/shop/checkout/trace?order=list");
    await row(/0 session.start/).waitFor();
    await expect.poll(lineCount).toBeGreaterThan(130);
  });

  it("shows who spawned whom, and the input and output of a job", async () => {
    await at("#/s/shop/checkout/agents?shape=graph");
    await page.locator(".react-flow__node").nth(3).waitFor();
    await page.locator(".react-flow__node", { hasText: "rounding in the tax" }).click();
    await page.getByText("The sub-agent ran out of turns.").waitFor();
    await page.getByText("Look into rounding").waitFor();
    await details().getByText("2 model calls, 2 tool calls", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Show in trace" }).click();
    await row(/needle1/).waitFor();
  });

  it("shows a conversation with its Markdown, and tool calls joined with their results", async () => {
    await at("#/s/shop/checkout/messages");
    await button(/Bash npm test -- checkout.*failed/).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("is now summed in");
    await page.getByText("0 of 1", { exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("table").waitFor();
    await page.locator("pre span", { hasText: "const" }).first().waitFor();
  });

  it("shows what a compaction dropped and what replaced it", async () => {
    await at("#/s/shop/checkout/context?call=20");
    await page.getByText("Dropped 37").waitFor();
    await page.getByText("Added 1").waitFor();
    // A short list of changes is open.
    await expect.poll(() => button(/Added Compaction summary/).getAttribute("aria-expanded")).toBe("true");
    await page.locator("pre").getByText("rewrote `sum()` to work in cents").waitFor();
    await page.getByLabel("compared with").fill("0");
    await page.getByText("Dropped 37").waitFor({ state: "detached" });
  });

  it("runs nothing that a history holds", async () => {
    for (const tab of ["trace", "agents", "messages", "context"]) {
      await at(`#/s/shop/hostile/${tab}`);
      await page.getByText("Title <img").first().waitFor();
      await settled();
      const links = await page
        .locator("main a")
        .evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href));
      expect(links.filter((href) => /^(javascript|data):/i.test(href))).toEqual([]);
      await expect.poll(() => page.evaluate(() => "__harmed" in window)).toBe(false);
      await expect.poll(() => page.locator("main iframe, main script, main img").count()).toBe(0);
    }
  });
});
