import { expect, it } from "vitest";
import { describeInBrowser, errors, page } from "./browser/browser.js";
import { button, failedRow, go, heldRequests, row } from "./browser/page.js";
import { checkoutSession, longSession, manySessions, spokenSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

/** The longer a reading takes, the longer the page waits before the next one. */
const POLLED = { timeout: 45_000 };

describeInBrowser("a history that goes on, in further states", () => {
  const server = serveHistories([checkoutSession(), longSession(600), ...manySessions(200)]);
  const unknown = serveHistories([{ ...spokenSession(), userId: "" }]);

  it("says that it is busy until all of a session has been read", async () => {
    await server.open("#/nowhere");
    const release = await heldRequests("**/orchestration?*");
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
    errors.length = 0; // the browser reports blocked files
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
    errors.length = 0; // the page reports the fault, too
  });

  it("says of the view that is opened that it is loading, not of the trace", async () => {
    await server.open("#/s/shop/checkout/trace", { fresh: true });
    await failedRow().waitFor();
    const release = await heldRequests("**/assets/summary-view*.js");
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
    await server.open("#/nowhere");
    const answer = await heldRequests("**/__inspector/sessions?*");
    await server.open("#/");
    const hint = page.getByText(/The newest sessions are loading/);
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
