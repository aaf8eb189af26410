import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { WorkflowTraceEventEnvelope } from "../../src/domain/trace/trace-envelope.js";
import { describeInBrowser } from "./browser/browser.js";
import { settled } from "./browser/settled.js";
import { lineCount, wholeTrace } from "./browser/trace-rows.js";
import { checkoutSession, longSession, runningSession } from "./fixtures/histories.js";
import { type Served, serveHistories } from "./fixtures/serve-app.js";

/** The page reads again at its own pace: the longer a reading takes, the longer it waits. */
const POLLED = { timeout: 45_000 };

describeInBrowser("a list that grows", (visitor) => {
  let server: Served;
  let page: Page;

  beforeEach(async () => {
    server = await serveHistories([longSession(600), runningSession(120)]);
  });
  afterEach(async () => {
    await page.context().close();
    await server.stop();
    expect(visitor.errors.splice(0)).toEqual([]);
  });

  const session = { tenantId: "labs", sessionId: "long" };
  let sequence = 90_000;
  const addTools = (...names: readonly string[]) => {
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
  const say = (...texts: readonly string[]) =>
    server.source.sessionStore.appendMessages(
      session,
      texts.map((content) => ({ role: "user", content })),
    );
  const fromEnd = (list: ReturnType<Page["getByRole"]>) =>
    list.evaluate(({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop);
  const grid = () => page.getByRole("treegrid");
  const conversation = () => page.getByRole("region", { name: "Conversation" });
  const openMessages = async (query = "") => {
    page = await visitor.open(`${server.address}/#/s/labs/long/messages${query}`);
    await page.locator('[aria-label="Conversation"][aria-busy="false"]').waitFor();
  };

  it("stays at its end in the trace for a reader who is there", async () => {
    page = await visitor.open(`${server.address}/#/s/labs/long/trace`);
    await wholeTrace(page).waitFor();
    expect(await grid().evaluate((element) => element.scrollTop)).toBe(0);
    await grid().focus();
    await page.keyboard.press("L");
    await page.keyboard.press("End");
    await expect.poll(() => fromEnd(grid())).toBeLessThan(2);
    await addTools("First", "Second");
    await page.getByRole("row", { name: /Second/ }).waitFor(POLLED);
    expect(await fromEnd(grid())).toBeLessThan(2);
    expect(await page.getByRole("button", { name: /new/ }).count()).toBe(0);
  });

  it("counts in the trace what came below a reader who is elsewhere, and leads there", async () => {
    page = await visitor.open(`${server.address}/#/s/labs/long/trace`);
    await wholeTrace(page).waitFor();
    await grid().evaluate((element) => element.scrollTo(0, 300));
    const rows = await lineCount(page);
    await addTools("First", "Second", "Third");
    const pill = page.getByRole("button", { name: "3 new" });
    await pill.waitFor(POLLED);
    expect(await lineCount(page)).toBe(rows + 3);
    expect(await grid().evaluate((element) => element.scrollTop)).toBe(300);
    await page.getByRole("status").getByText("3 new below").waitFor();
    await pill.click();
    await page.getByRole("row", { name: /Third/ }).waitFor();
    await pill.waitFor({ state: "detached" });
    expect(await fromEnd(grid())).toBeLessThan(2);
  });

  it("stays at its end in the messages, whatever height they turn out to have", async () => {
    await openMessages();
    expect(await conversation().evaluate((element) => element.scrollTop)).toBe(0);
    await page.keyboard.press("End");
    await expect.poll(() => fromEnd(conversation())).toBeLessThan(2);
    await say("One more", `# Much\n\n${"A long **paragraph** of words. ".repeat(80)}`, "And the last");
    await page.getByText("And the last").waitFor(POLLED);
    await expect.poll(() => fromEnd(conversation())).toBeLessThan(2);
  });

  it("counts in the messages what came below a reader who is elsewhere, and End leads there", async () => {
    await openMessages();
    await page.keyboard.press("End");
    await expect.poll(() => fromEnd(conversation())).toBeLessThan(2);
    await conversation().hover();
    await page.mouse.wheel(0, -900);
    await expect.poll(() => fromEnd(conversation())).toBeGreaterThan(500);
    await settled(page); // the wheel turns over some frames
    const first = page.locator("[data-index]").first();
    const before = [await conversation().evaluate((element) => element.scrollTop), await first.textContent()];
    await say("One more", "And the last");
    await page.getByRole("button", { name: "2 new" }).waitFor(POLLED);
    expect([
      await conversation().evaluate((element) => element.scrollTop),
      await first.textContent(),
    ]).toEqual(before);
    await page.keyboard.press("End");
    await page.getByText("And the last").waitFor();
    await page.getByRole("button", { name: "2 new" }).waitFor({ state: "detached" });
  });

  it("opens at its end where the session is running, unless the address names something", async () => {
    page = await visitor.open(`${server.address}/#/s/labs/running/trace`);
    await wholeTrace(page).waitFor();
    await page.getByRole("row", { name: /Bash make part-119/ }).waitFor();
    await page.getByRole("link", { name: /^Messages/ }).click();
    await page.getByRole("button", { name: /Bash make part-119/ }).waitFor();
    await page.context().close();
    page = await visitor.open(`${server.address}/#/s/labs/running/messages?at=10`);
    await page.locator('[data-current="true"]', { hasText: "make part-4" }).waitFor();
    await page.locator('[aria-label="Conversation"][aria-busy="false"]').waitFor();
    expect(await page.getByRole("button", { name: /Bash make part-119/ }).count()).toBe(0);
  });
});

describeInBrowser("a conversation", (visitor) => {
  it.each([390, 1280, 1920])("ends at one right edge in a window of %i pixels", async (width) => {
    const server = await serveHistories([checkoutSession()]);
    const page = await visitor.open(`${server.address}/#/s/shop/checkout/messages?at=13`, {
      viewport: { width, height: 2000 },
    });
    await page.getByText("The total was summed in floating point.").waitFor();
    await page.getByRole("table").waitFor();
    const edges = await page
      .locator("article > :not(header)")
      .evaluateAll((blocks) => blocks.map((block) => Math.round(block.getBoundingClientRect().right)));
    expect(edges.length).toBeGreaterThan(5);
    expect([...new Set(edges)]).toHaveLength(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await page.context().close();
    await server.stop();
  });
});

/** How many links are followed: `LANDINGS=100` is the whole conversation. */
const LANDINGS = Number(process.env.LANDINGS ?? 10);

describeInBrowser("a link into a long conversation", (visitor) => {
  const history = longSession(9000);
  const ids = JSON.stringify(history.messages).match(/(?<="id":")tool-\d+/g)!;
  let server: Served;
  beforeAll(async () => {
    server = await serveHistories([history]);
  });
  afterAll(() => server.stop());

  const calls = Array.from({ length: LANDINGS }, (_, nth) => 40 + Math.floor((nth * 8800) / LANDINGS));

  it.each(calls)("leads to the call of about event %i, and marks it", async (about) => {
    const id = ids.find((one) => Number(one.slice(5)) >= about)!;
    const page = await visitor.open(`${server.address}/#/s/labs/long/messages?call=${id}`);
    const marked = page.locator('[data-current="true"]');
    await marked.waitFor();
    await page.locator('[aria-label="Conversation"][aria-busy="false"]').waitFor();
    const list = page.getByRole("region", { name: "Conversation" });
    const { height } = (await list.boundingBox())!;
    // The header above may still grow: the place is one in the list.
    const below = async () => (await marked.boundingBox())!.y - (await list.boundingBox())!.y;
    await expect.poll(below).toBeLessThan(height - 20);
    expect(await below()).toBeGreaterThanOrEqual(-1);
    await page.context().close();
    expect(visitor.errors.splice(0)).toEqual([]);
  });

  it("says so where the conversation does not hold what it names", async () => {
    const page = await visitor.open(`${server.address}/#/s/labs/long/messages?call=nowhere`);
    await page.getByText("What this link leads to is not in this conversation.").waitFor();
    await page.context().close();
  });
});
