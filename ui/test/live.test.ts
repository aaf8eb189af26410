import { expect, it } from "vitest";
import type { WorkflowTraceEventEnvelope } from "../../src/domain/trace/trace-envelope.js";
import { describeInBrowser, errors, page } from "./browser/browser.js";
import { details, failedRow, lineCount, row, scrollTop, selectedRow, wholeTrace } from "./browser/page.js";
import { checkoutSession, longSession, manySessions } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

/** The longer a reading takes, the longer the page waits before the next one. */
const POLLED = { timeout: 45_000 };

describeInBrowser("a history that goes on", () => {
  const server = serveHistories([checkoutSession(), longSession(600), ...manySessions(200)]);
  const empty = serveHistories([]);

  const session = { tenantId: "labs", sessionId: "long" };
  const event = (sequence: number, type: string, fields: object): WorkflowTraceEventEnvelope => ({
    id: `new-${sequence}`,
    timestamp: new Date(Date.UTC(2026, 0, 15, 12)).toISOString(),
    sequence,
    source: "runtime",
    ...session,
    traceId: "main",
    event: { type, ...fields },
  });

  it("shows what is added without moving what one reads", async () => {
    await server.open("#/s/labs/long/trace");
    const grid = page.getByRole("treegrid");
    await grid.waitFor();
    await page.keyboard.press("e");
    const selected = selectedRow();
    await selected.waitFor();
    const rows = await lineCount();
    const top = await scrollTop(grid);
    const place = (await selected.boundingBox())!.y;
    await server.source.sessionStore.appendTraceEnvelopes(session, [
      event(90_000, "turn.start", { turnIndex: 900 }),
      event(90_001, "tool.start", { toolCallId: "fresh", toolName: "Fresh" }),
    ]);
    await expect.poll(lineCount, POLLED).toBe(rows + 2);
    await expect.poll(() => scrollTop(grid)).toBe(top);
    await expect.poll(async () => (await selected.boundingBox())!.y).toBe(place);
    await grid.focus();
    await page.keyboard.press("End");
    await row(/Fresh.*…/).waitFor();
  });

  it("fetches what was added, and not the session again", async () => {
    await server.open("#/nowhere");
    const fetched: { readonly url: string; readonly bytes: number }[] = [];
    await page.route("**/__inspector/**", async (route) => {
      const response = await route.fetch();
      const body = await response.body();
      fetched.push({ url: route.request().url(), bytes: body.length });
      await route.fulfill({ response, body });
    });
    const sum = () => fetched.reduce((total, { bytes }) => total + bytes, 0);
    await server.open("#/s/labs/long/trace", { fresh: true });
    await wholeTrace().waitFor();
    // Costs come last: the page requests the rates of the models after the trace.
    await row(/\$/).first().waitFor();
    expect(sum()).toBeGreaterThan(100_000);
    const rows = await lineCount();
    fetched.length = 0;
    await server.source.sessionStore.appendTraceEnvelopes(session, [
      event(91_000, "turn.start", { turnIndex: 901 }),
    ]);
    await expect.poll(lineCount, POLLED).toBe(rows + 1);
    expect(sum()).toBeLessThan(5_000);
    const asked = fetched.map(({ url }) => new URL(url));
    for (const { pathname, searchParams } of asked) {
      const isFollowed = (searchParams.get("since") ?? "") !== "" || searchParams.get("sessionId") === "long";
      expect([pathname, isFollowed]).toEqual([pathname, true]);
    }
  });

  it("goes on showing what it knows while the application is away, and goes on when it is back", async () => {
    await server.open("#/s/shop/checkout/trace");
    await failedRow().waitFor();
    await server.stop();
    await page.getByRole("alert").getByText("The connection is lost").waitFor(POLLED);
    await failedRow().click();
    await details().getByText("Expected: 0.3").waitFor();
    await server.start();
    await page.getByRole("alert").waitFor({ state: "detached", ...POLLED });
    errors.length = 0; // the details' own request failed, too
  });

  it("says so where there is no such session, and where there are none at all", async () => {
    await server.open("#/s/shop/nobody/trace");
    await page.getByText("There is no such session").waitFor();
    await empty.open("#/");
    await page.getByText("No sessions yet").waitFor();
  });
});
