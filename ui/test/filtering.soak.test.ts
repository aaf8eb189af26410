import { expect, it } from "vitest";
import { findNothing } from "./browser/axe.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, clipboard, isFocused, query, row, settled, watchFor } from "./browser/page.js";
import { describedSessions } from "./fixtures/described-sessions.js";
import { serveSource } from "./fixtures/serve-app.js";

describeInBrowser("the filter of the list", () => {
  const server = serveSource(() => describedSessions(120));
  const field = () => page.getByRole("combobox", { name: "Filter sessions" });
  const options = () => page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
  const count = (text: string) => page.getByRole("search").getByText(text, { exact: true }).waitFor();
  const open = async (hash: string, width = 1280) => {
    await server.open(hash, { width, height: 800 });
    await page.locator("[role=row] a").first().waitFor();
    await settled();
  };

  it("stays with a search: opened by its address, and back from what was opened", async () => {
    await open("#/?q=roun&filter=tenant%3Ashop");
    const shown = () => button(/^Remove tenant:shop/).waitFor();
    await shown();
    await page.locator("[role=row] a").first().click();
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#\/s\//);
    await page.goBack();
    await shown();
    expect(query().get("filter")).toBe("tenant:shop");
  });

  it("suggests fields and their values, takes them by keys, and shows terms that can be changed and removed", async () => {
    await open("#/");
    await page.keyboard.press("f");
    await page.keyboard.type("ten");
    await page.keyboard.press("Tab");
    await expect.poll(() => field().inputValue()).toBe("tenant:");
    await options().getByText("40 sessions").first().waitFor();
    await page.keyboard.type("sh");
    await expect.poll(() => options().count()).toBe(1);
    await page.keyboard.press("Enter");
    await count("40 of 120 sessions");
    await expect.poll(() => query().get("filter")).toBe("tenant:shop");
    await findNothing();
    await page.keyboard.type("errors:>50 ");
    await count("5 of 120 sessions");
    await page.getByText("30 sessions are skipped:").waitFor();
    await page.keyboard.type("roun");
    await expect.poll(() => query().get("filter")).toBe("tenant:shop errors:>50 roun");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Backspace");
    await expect.poll(() => field().inputValue()).toBe("roun");
    await button("Remove errors:>50").click();
    await expect.poll(() => query().get("filter")).toBe("tenant:shop roun");
    await expect.poll(() => isFocused(field())).toBe(true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await count("120 sessions");
  });

  it("says what is wrong and where, and has the nearest right name for it", async () => {
    await open("#/");
    await field().fill("duration:>1h modle:gpt");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText('There is no field "modle".').waitFor();
    await expect.poll(() => page.locator("u").textContent()).toBe("modle");
    await findNothing();
    await button("Use “model”").click();
    await page.keyboard.press("Enter");
    await count("20 of 120 sessions");
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });

  it("never says that there are no sessions while it is lifted", async () => {
    await server.open("#/?filter=nobody-has-it", { context: {}, engineDelay: 100 });
    await page.getByText("No session matches", { exact: true }).waitFor();
    const isSaid = await watchFor("No sessions yet");
    await button("Clear").first().click();
    await count("120 sessions");
    const wasSaid = await isSaid();
    expect(wasSaid).toBe(false);
  });

  it("is kept in a view, with the columns and the order, until the view is deleted", async () => {
    await open("#/?filter=model%3Aopus&sort=-duration");
    await button("Columns").click();
    await page.getByRole("checkbox", { name: "Tokens" }).uncheck();
    await page.getByRole("checkbox", { name: "Status" }).check();
    await button("Move User up").click();
    await expect.poll(() => isFocused(button("Move User up"))).toBe(true);
    await findNothing();
    await page.keyboard.press("Escape");
    const headings = () => page.getByRole("columnheader").allTextContents();
    const chosen = [
      "Session",
      "Status",
      "User",
      "Project",
      "Model",
      "Errors",
      "Duration ↓",
      "Turns",
      "Last active",
    ];
    await expect.poll(headings).toEqual(chosen);
    await button("Views").click();
    await page.getByRole("textbox", { name: "Name of the view" }).fill("Long ones");
    await page.keyboard.press("Enter");
    await button("Long ones").click();
    await findNothing();
    await button("Copy link").click();
    const link = await clipboard();
    await page.evaluate(() => localStorage.clear());
    await page.goto("about:blank");
    await page.goto(link);
    await row(/stay open/)
      .first()
      .waitFor();
    await expect.poll(headings).toEqual(chosen);
    await count("40 of 120 sessions");
  });

  it("has columns whose edges set their widths", async () => {
    await open("#/");
    const user = page.getByRole("columnheader", { name: "User" });
    const width = async () => Math.round((await user.boundingBox())!.width);
    const before = await width();
    const edge = user.getByRole("separator");
    await edge.focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    await expect.poll(width).toBe(before + 24);
    const { x, y } = (await edge.boundingBox())!;
    await page.mouse.move(x + 4, y + 8);
    await page.mouse.down();
    await page.mouse.move(x + 54, y + 8, { steps: 4 });
    await page.mouse.up();
    await expect.poll(width).toBe(before + 74);
    await page.reload();
    await expect.poll(width).toBe(before + 74);
    await edge.dblclick();
    await expect.poll(width).toBe(before);
  });
});
