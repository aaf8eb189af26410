import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { WorkflowTraceEventEnvelope } from "../../src/domain/trace/trace-envelope.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, lineCount, overflow, row, scrollTop, settled, wholeTrace } from "./browser/page.js";
import { checkoutSession, longSession, runningSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";
import { followLinks } from "./support/follow-links.js";

const LONG = longSession(9000);

/** The longer a reading takes, the longer the page waits before the next one. */
const POLLED = { timeout: 45_000 };

describeInBrowser("a list that grows", () => {
  // Tests do not share a session, as each adds to its own.
  const growing = ["trace-end", "trace-middle", "messages-end", "messages-middle"] as const;
  const server = serveHistories([...growing.map((id) => longSession(600, id)), runningSession(120)]);

  let sequence = 90_000;
  const addTools = (sessionId: (typeof growing)[number], ...names: readonly string[]) => {
    const session = { tenantId: "labs", sessionId };
    const event = (type: string, fields: object): WorkflowTraceEventEnvelope => ({
      id: `new-${sequence}`,
      timestamp: new Date(Date.UTC(2026, 0, 15, 12, 0, sequence - 90_000)).toISOString(),
      sequence: sequence++,
      source: "runtime",
      ...session,
      traceId: "main",
      event: { type, ...fields },
    });
    return server.source.sessionStore.appendTraceEnvelopes(
      session,
      names.map((toolName) => event("tool.start", { toolCallId: `fresh-${sequence}`, toolName })),
    );
  };
  const say = (sessionId: (typeof growing)[number], ...texts: readonly string[]) =>
    server.source.sessionStore.appendMessages(
      { tenantId: "labs", sessionId },
      texts.map((content) => ({ role: "user", content })),
    );
  const fromEnd = (list: ReturnType<Page["getByRole"]>) =>
    list.evaluate(({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop);
  const grid = () => page.getByRole("treegrid");
  const conversation = () => page.getByRole("region", { name: "Conversation" });
  const openMessages = async (sessionId: string) => {
    await server.open(`#/s/labs/${sessionId}/messages`);
    await page.locator('[aria-label="Conversation"][aria-busy="false"]').waitFor();
  };

  it("stays at its end in the trace for a reader who is there", async () => {
    await server.open("#/s/labs/trace-end/trace");
    await wholeTrace().waitFor();
    await expect.poll(() => scrollTop(grid())).toBe(0);
    await grid().focus();
    await page.keyboard.press("L");
    await page.keyboard.press("End");
    await expect.poll(() => fromEnd(grid())).toBeLessThan(2);
    await addTools("trace-end", "First", "Second");
    await row(/Second/).waitFor(POLLED);
    await expect.poll(() => fromEnd(grid())).toBeLessThan(2);
    await expect.poll(() => button(/new/).count()).toBe(0);
  });

  it("counts in the trace what came below a reader who is elsewhere, and leads there", async () => {
    await server.open("#/s/labs/trace-middle/trace");
    await wholeTrace().waitFor();
    await grid().evaluate((element) => element.scrollTo(0, 300));
    const rows = await lineCount();
    await addTools("trace-middle", "First", "Second", "Third");
    const pill = page.getByRole("button", { name: "3 new" });
    await pill.waitFor(POLLED);
    await expect.poll(lineCount).toBe(rows + 3);
    await expect.poll(() => scrollTop(grid())).toBe(300);
    await page.getByRole("status").getByText("3 new below").waitFor();
    await pill.click();
    await row(/Third/).waitFor();
    await pill.waitFor({ state: "detached" });
    await expect.poll(() => fromEnd(grid())).toBeLessThan(2);
  });

  it("stays at its end in the messages, whatever height they turn out to have", async () => {
    await openMessages("messages-end");
    await expect.poll(() => scrollTop(conversation())).toBe(0);
    await page.keyboard.press("End");
    await expect.poll(() => fromEnd(conversation())).toBeLessThan(2);
    await say(
      "messages-end",
      "One more",
      `# Much\n\n${"A long **paragraph** of words. ".repeat(80)}`,
      "And the last",
    );
    await page.getByText("And the last").waitFor(POLLED);
    await expect.poll(() => fromEnd(conversation())).toBeLessThan(2);
  });

  it("counts in the messages what came below a reader who is elsewhere, and End leads there", async () => {
    await openMessages("messages-middle");
    await page.keyboard.press("End");
    await expect.poll(() => fromEnd(conversation())).toBeLessThan(2);
    await conversation().hover();
    await page.mouse.wheel(0, -900);
    await expect.poll(() => fromEnd(conversation())).toBeGreaterThan(500);
    await settled();
    const first = page.locator("[data-index]").first();
    const before = [await scrollTop(conversation()), await first.textContent()];
    await say("messages-middle", "One more", "And the last");
    await button("2 new").waitFor(POLLED);
    await expect
      .poll(async () => [await scrollTop(conversation()), await first.textContent()])
      .toEqual(before);
    await page.keyboard.press("End");
    await page.getByText("And the last").waitFor();
    await button("2 new").waitFor({ state: "detached" });
  });

  it("opens at its end where the session is running, unless the address names something", async () => {
    await server.open("#/s/labs/running/trace");
    await wholeTrace().waitFor();
    await row(/Bash make part-119/).waitFor();
    await page.getByRole("link", { name: /^Messages/ }).click();
    await button(/Bash make part-119/).waitFor();
    await server.open("#/s/labs/running/messages?at=10");
    await page.locator('[data-current="true"]', { hasText: "make part-4" }).waitFor();
    await page.locator('[aria-label="Conversation"][aria-busy="false"]').waitFor();
    await expect.poll(() => button(/Bash make part-119/).count()).toBe(0);
  });
});

describeInBrowser("a conversation", () => {
  const server = serveHistories([checkoutSession()]);

  it("ends at one right edge, in a window of any width", async () => {
    await server.open("#/s/shop/checkout/messages?at=13", { height: 2000 });
    await page.getByText("The total was summed in floating point.").waitFor();
    await page.getByRole("table").waitFor();
    for (const width of [390, 1280, 1920]) {
      await page.setViewportSize({ width, height: 2000 });
      const edges = () =>
        page
          .locator("article > :not(header)")
          .evaluateAll((blocks) => blocks.map((block) => Math.round(block.getBoundingClientRect().right)));
      await expect.poll(async () => new Set(await edges()).size).toBe(1);
      await expect.poll(async () => (await edges()).length).toBeGreaterThan(5);
      await expect.poll(overflow).toBe(0);
    }
  });
});

describeInBrowser("a link into a long conversation", () => {
  const server = serveHistories([LONG]);

  it("leads to the calls that it names, and marks them", () => followLinks(server, LONG, 100));

  it("says so where the conversation does not hold what it names", async () => {
    await server.open("#/s/labs/long/messages?call=nowhere");
    await page.getByText("The target of this link is not in this conversation.").waitFor();
  });
});
