import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource, createInspectorRoute } from "../../src/advanced.js";
import type { InspectorAccess } from "../../src/index.js";
import { createInspectorUi } from "../../src/ui.js";
import { describeInBrowser, errors, page } from "./browser/browser.js";
import { button, failedRow } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serving, TestServer } from "./fixtures/serve-app.js";

const ALL: InspectorAccess = { tenants: "all" };
/** The page polls a session, and waits longer after a refusal. */
const POLLED = { timeout: 45_000 };

describeInBrowser("a page whose reader is refused", () => {
  const source = createInMemoryInspectorDataSource([checkoutSession()]);
  let decide: (c: Context) => InspectorAccess | Response = () => ALL;
  const server = serving(
    new TestServer(() =>
      new Hono()
        .route("/__inspector", createInspectorRoute(source, { access: (c) => decide(c) }))
        .route("/", createInspectorUi()),
    ),
  );
  const elsewhere = serving(new TestServer(() => new Hono().all("*", (c) => c.html("<h1>Sign in</h1>"))));

  it("says that it cannot send a token, with the document that says what to do", async () => {
    decide = (c) => c.text("Who are you?", 401, { "WWW-Authenticate": "Bearer" });
    await server.open("#/");
    await page
      .getByText(
        "This page cannot send a token. Use a cookie or Basic authentication, or protect the page with your sign-in.",
      )
      .waitFor();
    const href = await page.getByRole("link", { name: "How to sign in to this page" }).getAttribute("href");
    const answer = await fetch(new URL(href ?? "", server.address));
    const [type, text] = [answer.headers.get("content-type"), await answer.text()];
    expect([answer.status, type]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(text).toContain("# Signing in to the page");
  });

  it.each([
    ["is not signed in", (c: Context) => c.text("Who are you?", 401), "You are not signed in"],
    [
      "is sent to another origin",
      (c: Context) => c.redirect(`${elsewhere.address}/login`),
      "You are not signed in",
    ],
    ["may not read", (c: Context) => c.text("Not you.", 403), "You may not read this"],
  ])("says so: %s", async (_, refuse, title) => {
    decide = refuse;
    await server.open("#/");
    await page.getByRole("heading", { name: title }).waitFor();
    await page.getByRole("link", { name: "How to sign in to this page" }).waitFor();
    errors.length = 0; // the browser reports a blocked redirect
  });

  it("leaves what it has loaded when a sign-in ends, and goes on after the next", async () => {
    decide = (c) => (getCookie(c, "user") === undefined ? c.text("Who are you?", 401) : ALL);
    const cookie = { name: "user", value: "ada", url: server.address };
    await server.open("#/nowhere");
    await page.context().addCookies([cookie]);
    await server.open("#/s/shop/checkout/trace", { fresh: true });
    await failedRow().waitFor();
    await page.context().clearCookies();
    const banner = page.getByRole("alert").filter({ hasText: "You are not signed in any more." });
    await banner.waitFor(POLLED);
    await failedRow().waitFor();
    await page.context().addCookies([cookie]);
    await button("Load the page again").click();
    await failedRow().waitFor();
    await expect.poll(() => banner.count()).toBe(0);
    await page.context().clearCookies();
  });
});
