import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, go, hash } from "./browser/page.js";
import { checkoutSession, manySessions, runningSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

const ALL = "#/overview?range=all&by=month";

describeInBrowser("the overview, in further states", () => {
  const server = serveHistories([checkoutSession(), ...manySessions(60)]);
  const none = serveHistories([]);
  const running = serveHistories([runningSession(3)]);

  const table = (name: string) => page.getByRole("table", { name, exact: true });

  it("opens the page where a reader prefers it and there are many sessions, and the list is a link away", async () => {
    await server.open("#/");
    await button("Appearance and keys").click();
    await page.getByRole("checkbox", { name: "Overview first for more than 50 sessions" }).check();
    await page.reload();
    await expect.poll(hash).toBe("#/overview");
    await page.getByRole("link", { name: "Sessions", exact: true }).click();
    await page.getByRole("grid", { name: "Sessions" }).waitFor();
    await expect.poll(hash).toBe("#/");
  });

  it("shows ten rows until one asks for all, sorted by any column", async () => {
    await server.open(ALL);
    const sessions = table("Costliest sessions");
    await expect.poll(() => sessions.locator("tbody tr").count()).toBe(10);
    await button("All 61").click();
    await expect.poll(() => sessions.locator("tbody tr").count()).toBe(61);
    await sessions.getByRole("button", { name: "Session" }).click();
    await expect.poll(() => sessions.locator("th[aria-sort=ascending]").count()).toBe(1);
    const names = await sessions.locator("tbody th").allTextContents();
    const lower = names.map((name) => name.toLowerCase());
    expect(lower).toEqual(lower.toSorted());
  });

  it("offers all time where the range is empty, and says what is wrong with a filter", async () => {
    await server.open("#/overview?range=custom&from=2001-01-01&to=2001-01-02");
    await page.getByRole("heading", { name: "No session in this range" }).waitFor();
    await page.getByRole("main").getByRole("status").getByRole("button", { name: "All time" }).click();
    await page.getByText(/^61 sessions/).waitFor();
    await go(`${ALL}&filter=tol:Bash`);
    await page.getByRole("heading", { name: "The filter or the range cannot be read" }).waitFor();
    await go(`${ALL}&filter=tool:Edit`);
    await page.getByText(/^1 session/).waitFor();
    await button("Remove tool:Edit").click();
    await page.getByText(/^61 sessions/).waitFor();
    await expect.poll(hash).toBe(ALL);
  });

  it("says so where there is no session, and what went wrong", async () => {
    await none.open("#/overview?range=all");
    await page.getByRole("heading", { name: "No sessions yet" }).waitFor();
    let asked = 0;
    await page.route("**/__inspector/overview*", (route) => {
      asked++;
      return route.fulfill({ status: 500, body: "{}" });
    });
    await running.open("#/overview");
    await button("Try now").waitFor();
    const before = asked;
    await button("Try now").click();
    await expect.poll(() => asked).toBeGreaterThan(before);
    await page.unroute("**/__inspector/overview*");
    await page.getByText(/^1 session/).waitFor();
  });

  it("asks again while sessions are not read, and marks its numbers until then", async () => {
    let unread = 2;
    await page?.unrouteAll();
    await server.open("#/nowhere");
    await page.route("**/__inspector/overview*", async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { coverage: object };
      await route.fulfill({ json: { ...answer, coverage: { ...answer.coverage, unread: unread-- } } });
    });
    await go(ALL);
    await page.getByText("so far").first().waitFor();
    await page.getByText(/2 not read yet/).waitFor();
    await expect.poll(() => page.getByText("so far").count()).toBe(0);
  });
});
