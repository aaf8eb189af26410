import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { choose, hash, isFocused, row, searchField, selectedRow, settled } from "./browser/page.js";
import { describedSessions } from "./fixtures/described-sessions.js";
import { serveSource } from "./fixtures/serve-app.js";

describeInBrowser("the list of sessions", () => {
  const server = serveSource(() => describedSessions(120));

  const open = async (hash: string, width = 1440, height = 900) => {
    await server.open(hash, { width, height });
    await page.locator("[role=row] a").first().waitFor();
    await settled();
  };
  const second = () => row(/stay open \(1\)/);
  const preview = () => page.getByRole("tooltip");
  const headings = () => page.getByRole("columnheader").allTextContents();

  it("shows titles without Markdown, and errors, duration, model, and the date beside its age", async () => {
    await open("#/");
    const cells = row(/^Round total\(\) to cents/)
      .first()
      .getByRole("gridcell");
    const shown = await cells.allTextContents();
    expect(shown[0]).toBe("Round total() to cents");
    expect(shown.slice(1, 6)).toEqual(["shop", "user-0", "Sonnet 4.5", "1 error", "1m 00s"]);
    expect(shown.at(-1)).toMatch(/ago\d{4}-\d{2}-\d{2}$/);
    await expect.poll(() => second().getByText("Running").count()).toBe(1);
    const asking = row(/stay open \(4\)/).getByText("Waiting");
    await expect.poll(() => asking.getAttribute("data-tip")).toBe("Deploy it to production?");
    await expect
      .poll(() => page.getByText("Idle", { exact: true }).and(page.locator("[role=row] *")).count())
      .toBe(0);
  });

  it("is grouped by project, and by day, as the address says", async () => {
    await open("#/");
    await page.keyboard.press("g");
    await row(/^shop 40 sessions/).waitFor();
    await expect.poll(hash).toBe("#/?group=project");
    await expect.poll(headings).not.toContain("Project");
    await page.keyboard.press("g");
    await row(/^\w{3} \d{4}-\d{2}-\d{2} \d+ sessions/)
      .first()
      .waitFor();
    await expect
      .poll(() => page.getByRole("combobox", { name: "Group by" }).textContent())
      .toContain("By day");
    await choose("Group by", "No groups");
    await expect.poll(headings).toContain("Project");
  });

  it("leads from its search to the rows by Enter and the arrow, and clears the search by Escape", async () => {
    await open("#/");
    await page.keyboard.press("/");
    await page.keyboard.type("stay open");
    await page.keyboard.press("Enter");
    await selectedRow().getByText("stay open (1)").waitFor();
    await page.keyboard.press("ArrowDown");
    await selectedRow().getByText("stay open (4)").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    await expect.poll(() => searchField().inputValue()).toBe("");
    await expect.poll(() => isFocused(searchField())).toBe(true);
    await page.keyboard.press("ArrowDown");
    // The row was already selected: only the focus confirms the key.
    await expect.poll(() => isFocused(searchField())).toBe(false);
    await selectedRow().getByText("stay open (4)").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/s-000004\/\w+$/);
  });

  it("loses no key that is pressed while the list is still being searched", async () => {
    await server.open("#/", { context: {}, engineDelay: 200 });
    await page.locator("[role=row] a").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("stay open");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.waitForURL(/s-000001\/\w+$/);
  });

  it("leads to what is found in contents by an Enter that is pressed before it has been found", async () => {
    await server.open("#/", { context: {}, engineDelay: 100 });
    await page.locator("[role=row] a").first().waitFor();
    await searchField().fill("Do it");
    await searchField().press("Enter");
    await expect.poll(() => page.locator('[role="list"] a:focus').count()).toBe(1);
  });

  it("previews what the keyboard selects, and nothing for a touch", async () => {
    await open("#/");
    await page.keyboard.press("j");
    await preview().getByText("First prompt of 0: look at the receipts.").waitFor();
    await page.keyboard.press("j");
    await preview().getByText("First prompt of 1: look at the receipts.").waitFor();
    await expect.poll(() => preview().count()).toBe(1);
    await server.open("#/", { width: 1024, height: 768, context: { hasTouch: true } });
    await second().waitFor();
    const { x, y } = (await second().boundingBox())!;
    await page.evaluate(
      ([left, top]) => {
        const touched = document.elementFromPoint(left!, top!)!;
        const init = { bubbles: true, clientX: left!, clientY: top!, pointerType: "touch" };
        touched.dispatchEvent(new PointerEvent("pointermove", init));
      },
      [x + 100, y + 10],
    );
    await page.waitForTimeout(1000); // longer than the delay of a preview
    await expect.poll(() => preview().count()).toBe(0);
  });
});
