import { expect, it } from "vitest";
import { judge } from "./browser/axe.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, go, hash, query } from "./browser/page.js";
import { checkoutSession, manySessions, runningSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

const ALL = "#/overview?range=all&by=month";

describeInBrowser("the overview", () => {
  const server = serveHistories([checkoutSession(), ...manySessions(60)]);
  const none = serveHistories([]);
  const running = serveHistories([runningSession(3)]);

  const bars = () => page.getByRole("slider");
  const table = (name: string) => page.getByRole("table", { name, exact: true });

  it("is a key, a link in the header and a command away, and `u` leads back to the list", async () => {
    await server.open("#/");
    await page.getByRole("grid", { name: "Sessions" }).waitFor(); // then the page takes keys
    await page.keyboard.press("0");
    await expect.poll(hash).toBe("#/overview");
    await expect.poll(() => page.title()).toBe("Overview · Agent Inspector");
    await page.keyboard.press("u");
    await expect.poll(hash).toBe("#/");
    await page.getByRole("navigation").getByRole("link", { name: "Overview" }).click();
    await expect.poll(hash).toBe("#/overview");
    await go("#/s/shop/checkout/summary");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("overview");
    await page.keyboard.press("Enter");
    await expect.poll(hash).toBe("#/overview");
  });

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

  it("says what it covers, and its numbers in bars, in words and in a table", async () => {
    await server.open(ALL);
    await page.getByText(/^61 sessions/).waitFor();
    await bars().focus();
    await page.keyboard.press("Home");
    await expect.poll(() => bars().getAttribute("aria-valuetext")).toMatch(/^[A-Z][a-z]+ 20\d\d: /);
    const first = await bars().getAttribute("aria-valuetext");
    const [time = "", total = ""] = first!.split(/[:,] /);
    const row = table("Cost by month").getByRole("row", { name: time });
    await expect.poll(() => row.getByRole("cell").first().textContent()).toBe(total);
    await button("Table").click();
    await expect.poll(() => query().get("table")).toBe("1");
    await row.waitFor({ state: "visible" });
  });

  it("goes from a bar to its time alone, and back", async () => {
    await server.open(ALL);
    await bars().focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await expect.poll(() => query().get("range")).toBe("custom");
    await expect.poll(() => query().get("by")).toBe("day");
    await expect.poll(() => page.getByLabel("First day").inputValue()).toMatch(/-01$/);
    await page.goBack();
    await expect.poll(hash).toBe(ALL);
  });

  it("leads from a row to the list of its sessions, and from a name of the bars to its sessions alone", async () => {
    await server.open(`${ALL}&stack=project`);
    await table("Projects").getByRole("link", { name: "shop", exact: true }).click();
    await expect.poll(hash).toMatch(/^#\/\?filter=tenant%3A/);
    await page.goBack();
    await page.getByRole("list", { name: "Colours" }).getByRole("button", { name: "shop" }).click();
    await expect.poll(() => query().get("filter")).toMatch(/^tenant:=?shop$/);
    await page.getByText(/^\d+ sessions?/).waitFor();
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

  judge(server, [
    ["the overview", ALL, "Costliest sessions"],
    ["its table", `${ALL}&table=1&measure=sessions&stack=project`, "Costliest sessions"],
  ]);
});
