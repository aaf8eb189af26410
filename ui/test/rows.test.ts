import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "./browser/browser.js";
import { settled } from "./browser/settled.js";
import { wholeTrace } from "./browser/trace-rows.js";
import { farFilesSession } from "./fixtures/histories.js";
import { type Served, serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("the rows of a trace", (visitor) => {
  let server: Served;
  let page: Page;

  beforeAll(async () => {
    server = await serveHistories([farFilesSession()]);
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    await page.context().close();
    expect(visitor.errors.splice(0)).toEqual([]);
  });

  const open = async (width: number, query = "") => {
    const viewport = { width, height: 900 };
    page = await visitor.open(`${server.address}/#/s/labs/far-files/trace${query}`, { viewport });
    await wholeTrace(page).waitFor();
    await settled(page);
  };
  const row = (name: RegExp) => page.getByRole("row", { name });

  for (const width of [390, 1440]) {
    it(`show the names of files in a window of ${width}`, async () => {
      await open(width);
      for (const [tool, file] of [
        ["Edit", "annotation_reference.ex"],
        ["Read", "CHANGELOG.md"],
        ["Grep", "web_router.ex"],
      ]) {
        const name = row(new RegExp(`Tool call ${tool} `)).getByText(file!, { exact: true });
        expect(await isUncut(name)).toBe(true);
      }
    });

    it(`begin with the command that failed in a window of ${width}`, async () => {
      await open(width);
      const failed = row(/Bash mix test ✕ 3 tests/);
      expect(await isUncut(failed.getByText("mix test", { exact: true }))).toBe(true);
      const reason = failed.getByText("✕ 3 tests");
      expect((await reason.boundingBox())!.width).toBeGreaterThan(40);
    });
  }

  it("have all that they are about in a tooltip", async () => {
    await open(1440);
    const titles = (name: RegExp) =>
      row(name)
        .locator("[title]")
        .evaluateAll((all) => all.map((element) => (element as HTMLElement).title));
    const path = "/home/ada/elsewhere/with/many/folders/between/here/and/there/CHANGELOG.md";
    expect(await titles(/Tool call Read/)).toContain(path);
    expect(await titles(/Bash/)).toContain("cd /home/ada/projects/spotter && mix test");
  });

  it("are one for a model call, which unfolds to what the model said", async () => {
    await open(1440);
    const call = row(/I change the reference first\./);
    expect(await call.getAttribute("aria-expanded")).toBe("false");
    expect(await row(/Thinking/).count()).toBe(0);
    await row(/→ Read, Grep/).waitFor();
    await call.click();
    const details = page.getByRole("complementary");
    await details.getByText("Then I test it.").waitFor();
    await details.getByText("A reference is missing.").waitFor();
    await details.getByText("88%").waitFor();
    await page.keyboard.press("l");
    await row(/Thinking A reference is missing\./).waitFor();
    await row(/Edit lib\/spotter\/transcripts\/annotation_reference\.ex/).waitFor();
    await details.getByRole("button", { name: /Edit lib\/spotter/ }).click();
    await page.locator('[role="row"][aria-selected="true"]', { hasText: "Edit" }).waitFor();
  });

  it("unfold for a text that an address names", async () => {
    await open(1440, "?event=far-files-4");
    await page
      .locator('[role="row"][aria-selected="true"]', { hasText: "TextI change the reference" })
      .waitFor();
  });

  it("are none for a text without words, which has an address all the same", async () => {
    await open(1440);
    await page.getByRole("button", { name: "Unfold all" }).click();
    await row(/Thinking/).waitFor();
    expect(await row(/Thinking/).count()).toBe(1);
    await page.goto(`${server.address}/#/s/labs/far-files/trace?event=far-files-9`);
    await page.getByRole("complementary").getByText("encrypted").waitFor();
  });
});

/** Whether all of a text is on the screen. */
function isUncut(text: Locator): Promise<boolean> {
  return text.evaluate((element) => {
    const { right, width } = element.getBoundingClientRect();
    const cell = element.closest('[role="gridcell"]')!.getBoundingClientRect();
    return width > 0 && element.scrollWidth <= element.clientWidth && right <= cell.right + 1;
  });
}
