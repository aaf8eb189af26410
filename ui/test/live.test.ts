import { expect, it } from "vitest";
import type { WorkflowTraceEventEnvelope } from "../../src/domain/trace/trace-envelope.js";
import { describeInBrowser, errors, page } from "./browser/browser.js";
import {
  button,
  details,
  failedRow,
  go,
  lineCount,
  row,
  scrollTop,
  selectedRow,
  wholeTrace,
} from "./browser/page.js";
import { checkoutSession, longSession, manySessions, spokenSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

/** The page reads again at its own pace: the longer a reading takes, the longer it waits. */
const POLLED = { timeout: 45_000 };

describeInBrowser("a history that goes on", () => {
  const server = serveHistories([checkoutSession(), longSession(600), ...manySessions(200)]);
  const empty = serveHistories([]);
  const unknown = serveHistories([{ ...spokenSession(), userId: "" }]);

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

  it("says that it is busy until all of a session has been read", async () => {
    await server.open("#/nowhere");
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/orchestration?*", async (route) => {
      await held;
      await route.continue();
    });
    await server.open("#/s/shop/checkout/trace", { fresh: true });
    await failedRow().waitFor();
    const grid = page.getByRole("treegrid");
    await expect.poll(() => grid.getAttribute("aria-busy")).toBe("true");
    await go("#/s/shop/checkout/trace?tool=Nothing");
    await page.getByText("No event matches the filters so far.").waitFor();
    release();
    await page.getByText("No event matches the filters.").waitFor();
  });

  it("adds sessions to the list above what one reads, and leaves that in its place", async () => {
    await server.open("#/");
    await page.getByText("202 sessions").waitFor();
    const grid = page.getByRole("grid");
    await grid.evaluate((element) => element.scrollTo(0, 1600));
    const task = row(/Task 60:/);
    await task.waitFor();
    const place = (await task.boundingBox())!.y;
    await server.source.sessionStore.openSession({
      tenantId: "shop",
      sessionId: "brand-new",
      userId: "ada",
      createdAt: Date.now(),
    });
    await page.getByText("203 sessions").waitFor(POLLED);
    await expect.poll(async () => (await task.boundingBox())?.y, POLLED).toBe(place);
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
    errors.length = 0; // what the details load of their own was away, too
  });

  it("says where a view's own files cannot be had, and shows the view when they can", async () => {
    await server.open("#/s/shop/checkout/trace", { fresh: true });
    await failedRow().waitFor();
    await page.route("**/assets/**", (route) => route.abort());
    await page.getByRole("link", { name: "Messages" }).click();
    await page.getByText("A file of the page is missing").waitFor();
    await button("Load the page again").waitFor();
    await page.getByRole("link", { name: "Trace" }).click();
    await failedRow().waitFor();
    await page.getByRole("link", { name: "Messages" }).click();
    await page.unroute("**/assets/**");
    await page.getByRole("article").first().waitFor(POLLED);
    await expect.poll(() => page.getByText("A file of the page is missing").count()).toBe(0);
    errors.length = 0; // the browser reports the files that were blocked
  });

  it("shows a view that nobody answered as soon as somebody does", async () => {
    await server.open("#/s/shop/checkout/trace", { fresh: true });
    await failedRow().waitFor();
    await page.route("**/__inspector/sources*", (route) => route.abort());
    await page.keyboard.press("s");
    await page.getByText("The agent application does not answer").waitFor();
    await page.unroute("**/__inspector/sources*");
    await page.getByText("The agent application does not answer").waitFor({ state: "detached", ...POLLED });
  });

  it("says which view has a fault, and what it says of itself, without folders; what it should show is there as JSON", async () => {
    await server.open("#/s/shop/checkout/trace", { fresh: true });
    await failedRow().waitFor();
    const body = 'export default () => { throw new TypeError("no row in /home/ada/shop/secret.ts"); };';
    await page.route("**/assets/messages-view*.js", (route) =>
      route.fulfill({ body, contentType: "text/javascript" }),
    );
    await page.getByRole("link", { name: "Messages" }).click();
    await page.getByRole("heading", { name: "Messages: this view failed" }).waitFor();
    await page.getByText("TypeError: no row in …", { exact: true }).waitFor();
    await expect.poll(() => page.getByText("may be away").count()).toBe(0);
    const json = await page.getByRole("link", { name: "Show the record as JSON" }).getAttribute("href");
    expect(await (await fetch(json!)).text()).toContain("npm test");
    await button("Try again").click();
    await page.getByRole("heading", { name: "Messages: this view failed" }).waitFor();
    errors.length = 0; // the fault is reported, too
  });

  it("says of the view that is opened that it is loading, not of the trace", async () => {
    await server.open("#/s/shop/checkout/trace", { fresh: true });
    await failedRow().waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/assets/summary-view*.js", async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole("link", { name: "Summary" }).click();
    await page.getByText("Calculating summary…").waitFor();
    release();
    await page.getByRole("table", { name: "Context usage" }).waitFor();
  });

  it("says what to do where the application is not there at all, and shows the list when it comes", async () => {
    await server.open("#/");
    await page.getByText("203 sessions").waitFor();
    await page.route("**/__inspector/**", (route) => route.abort());
    await page.reload();
    await page.getByText("The agent application does not answer").waitFor();
    await page.getByText(`${server.address}/__inspector`).waitFor();
    await page.unroute("**/__inspector/**");
    await button("Try now").click();
    await page.getByText("203 sessions").waitFor(POLLED);
  });

  it("says that a list takes long, when it does", async () => {
    let answer = () => {};
    const released = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await server.open("#/nowhere");
    await page.route("**/__inspector/sessions?*", async (route) => {
      await released;
      await route.continue();
    });
    await server.open("#/");
    const hint = page.getByText(/The newest sessions are looked for/);
    await page.getByText("Loading sessions…").waitFor();
    await hint.waitFor({ timeout: 10_000 });
    await expect
      .poll(() =>
        page
          .getByRole("main")
          .getByText(/\d sessions/)
          .count(),
      )
      .toBe(0);
    answer();
    await page.getByText("203 sessions").waitFor(POLLED);
  });

  it("says so where there is no such session, and where there are none at all", async () => {
    await server.open("#/s/shop/nobody/trace");
    await page.getByText("There is no such session").waitFor();
    await empty.open("#/");
    await page.getByText("No sessions yet").waitFor();
  });

  it("has no column of users where nobody is known, and one as soon as somebody is", async () => {
    await unknown.open("#/");
    await row(/Think aloud/).waitFor();
    const users = page.getByRole("columnheader", { name: "User" });
    await expect.poll(() => users.count()).toBe(0);
    const known = { tenantId: "labs", sessionId: "known", userId: "ada", createdAt: Date.now() };
    await unknown.source.sessionStore.openSession(known);
    await users.waitFor(POLLED);
    await page.getByRole("gridcell", { name: "no user" }).waitFor();
  });
});
