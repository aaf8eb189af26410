import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import {
  button,
  hash,
  heldRequests,
  overflow,
  row,
  scrollTop,
  searchField,
  searchResults,
  selectedRow,
  settled,
} from "./browser/page.js";
import { describedSessions } from "./fixtures/described-sessions.js";
import { serveSource } from "./fixtures/serve-app.js";

describeInBrowser("the list of sessions, in further states", () => {
  const server = serveSource(() => describedSessions(120));
  const bare = serveSource(() => describedSessions(1));

  const open = async (hash: string, width = 1440, height = 900) => {
    await server.open(hash, { width, height });
    await page.locator("[role=row] a").first().waitFor();
    await settled();
  };
  const grid = () => page.getByRole("grid", { name: "Sessions" });
  const second = () => row(/stay open \(1\)/);
  const preview = () => page.getByRole("tooltip");
  const headings = () => page.getByRole("columnheader").allTextContents();

  it("says the whole of what is short where the pointer rests, and opens the session from there too", async () => {
    await open("#/");
    const model = second().locator("[data-column=model]");
    const { x, y, width, height } = (await model.boundingBox())!;
    const title = await page.evaluate(
      ([left, top]) => document.elementFromPoint(left!, top!)?.closest("[title]")?.getAttribute("title"),
      [x + width / 2, y + height / 2],
    );
    expect(title).toBe("claude-opus-4-1-20250805");
    await expect
      .poll(() => second().locator("[data-column=duration]").getAttribute("title"))
      .toMatch(/^From the first record to the newest: \d{4}/);
    const tab = page.context().waitForEvent("page");
    await model.click({ modifiers: ["ControlOrMeta"] });
    await expect.poll(async () => (await tab).url()).toContain("/s-000001");
    await model.click();
    await page.waitForURL(/s-000001\/\w+$/);
  });

  it("has no column that no session fills, nor one that few do, whose status stands before the title", async () => {
    await open("#/");
    await expect.poll(headings).not.toContain("Status");
    await second()
      .getByRole("gridcell", { name: /^Running/ })
      .waitFor();
    await bare.open("#/");
    await row(/Round total/).waitFor();
    await expect.poll(headings).not.toContain("Status");
    await expect.poll(headings).toContain("Errors");
  });

  it("is brought back as it was from a session, also after a reload", async () => {
    await open("#/?group=project&sort=-duration");
    await grid().evaluate((element) => element.scrollTo(0, 1500));
    await settled();
    const opened = row(/Round total|stay open|the cellar/).nth(15);
    const name = await opened.getAttribute("id");
    await opened.getByRole("link").click();
    await page.waitForURL(/#\/s\/[^/]+\/[^/]+\/\w+$/);
    await page.reload();
    await page.getByRole("region", { name: "Session" }).waitFor();
    await page.keyboard.press("u");
    await selectedRow().waitFor();
    await expect.poll(hash).toBe("#/?group=project&sort=-duration");
    await expect.poll(() => scrollTop(grid())).toBe(1500);
    await expect.poll(() => selectedRow().getAttribute("id")).toBe(name);
    await page.goBack();
    await page.goBack();
    await selectedRow().waitFor();
    await expect.poll(() => scrollTop(grid())).toBe(1500);
  });

  it("leads from its search to what is found in contents, where no title has it", async () => {
    await open("#/");
    await searchField().fill("Do it");
    await searchResults().getByRole("link").nth(1).waitFor();
    await page.getByText("No title, id or user matches.").waitFor();
    await searchField().press("ArrowDown");
    const focused = page.locator('[role="list"] a:focus');
    await expect.poll(() => focused.count()).toBe(1);
  });

  it("previews what one hovers, away from the pointer and without moving anything, until Escape", async () => {
    await open("#/");
    const place = await row(/the cellar hold\? \(2\)/).boundingBox();
    const { x, y, height } = (await second().boundingBox())!;
    await page.mouse.move(x + 200, y + height / 2);
    await page.mouse.move(x + 210, y + height / 2);
    await preview().getByText("First prompt of 1: look at the receipts.").waitFor();
    await preview().getByText("Last answer of 1: done, and all tests pass.").waitFor();
    await expect
      .poll(() => second().getAttribute("aria-describedby"))
      .toBe(await preview().getAttribute("id"));
    await expect.poll(() => row(/the cellar hold\? \(2\)/).boundingBox()).toEqual(place);
    const box = (await preview().boundingBox())!;
    expect(box.x).toBeGreaterThan(x + 210);
    expect(box.y).toBeGreaterThanOrEqual(y + height - 1);
    await page.mouse.move(box.x + 20, y + height / 2, { steps: 4 });
    await page.mouse.move(box.x + 20, box.y + 10, { steps: 4 });
    await page.waitForTimeout(600); // longer than a preview stays after the pointer leaves
    await expect.poll(() => preview().count()).toBe(1);
    await page.keyboard.press("Escape");
    await preview().waitFor({ state: "detached" });
    await page.mouse.move(x + 1300, y + height / 2);
    await page.mouse.move(x + 1310, y + height * 3.5);
    await preview().waitFor();
    const other = (await preview().boundingBox())!;
    expect(other.x + other.width).toBeLessThan(x + 1310);
    // In groups, the row belongs to another session, or moves.
    await page.keyboard.press("g");
    await preview().waitFor({ state: "detached" });
  });

  it("stands in two lines where there is little room, the title first", async () => {
    await open("#/", 390, 844);
    const { y, height } = (await second().boundingBox())!;
    const title = (await second().getByRole("link").boundingBox())!;
    const age = (await second().locator("[data-column=active]").boundingBox())!;
    expect(title.width).toBeGreaterThan(280);
    expect(age.y).toBeGreaterThanOrEqual(title.y + title.height - 1);
    expect(age.y + age.height).toBeLessThanOrEqual(y + height);
    await expect
      .poll(() =>
        row(/^Round/)
          .first()
          .getByText("1 error")
          .isVisible(),
      )
      .toBe(true);
    const bar = (await page.getByRole("banner").boundingBox())!;
    expect(bar.height).toBe(40);
    await expect.poll(async () => (await grid().boundingBox())!.y).toBeLessThan(125);
    await expect.poll(overflow).toBeLessThanOrEqual(0);
  });

  it("gives the top bar's room to the search, and the rest a menu", async () => {
    await open("#/");
    await expect.poll(async () => (await searchField().boundingBox())!.width).toBeGreaterThan(600);
    await expect.poll(() => page.getByRole("radio").count()).toBe(0);
    await button("Appearance and keys").click();
    await page.getByRole("radio", { name: "Dark" }).check();
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
    await page.getByRole("radio", { name: "UTC" }).check();
    await button("Keys").and(page.locator("[popover] *")).click();
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
  });

  it("does not move when the first hit comes", async () => {
    await open("#/");
    const release = await heldRequests(/\/search\/sessions\?/);
    await searchField().fill("Done");
    await page.getByText("No title, id or user matches.").waitFor();
    const status = page.getByRole("region", { name: "Search results" });
    await status.getByText("No match so far").waitFor();
    const places = async () => [await searchField().boundingBox(), (await status.boundingBox())!.y];
    const before = await places();
    release();
    await searchResults().waitFor();
    await expect.poll(places).toEqual(before);
  });

  it("does not move a session either, nor the field in it", async () => {
    await server.open("#/s/tenant-1/s-000001/trace");
    const trace = page.getByRole("treegrid");
    await trace.waitFor();
    await settled();
    const places = async () => [(await trace.boundingBox())!.y, (await searchField().boundingBox())!.x];
    const before = await places();
    await searchField().fill("nothing has this");
    await page.getByText("No match", { exact: true }).waitFor();
    await expect.poll(places).toEqual(before);
    await searchField().fill("Done");
    await page.getByText(/^0 of \d/).waitFor();
    await expect.poll(places).toEqual(before);
  });

  it("names the terms of a filter that leave no session, each to be taken away", async () => {
    await server.open("#/?filter=user:nobody+status:running");
    await page.getByText("No session matches").waitFor();
    await button("Without user:nobody").click();
    await second().waitFor();
  });

  it("sorts a list by each of its columns", async () => {
    await open("#/");
    for (const heading of await headings()) {
      const name = heading.replace(/ [↓↑]$/, "");
      await page.getByRole("columnheader", { name }).getByRole("button").click();
      await page.locator("[aria-sort]", { hasText: name }).waitFor();
    }
    await page.getByRole("columnheader", { name: "Errors" }).getByRole("button").click();
    await expect
      .poll(() => page.locator("[role=gridcell][data-column=errors]").first().textContent())
      .toBe("117 errors");
  });
});
