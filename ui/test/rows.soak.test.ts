import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, details, go, row, selectedRow, settled, wholeTrace } from "./browser/page.js";
import { farFilesSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("the rows of a trace", () => {
  const server = serveHistories([farFilesSession()]);

  const open = async (width: number, query = "") => {
    const viewport = { width, height: 900 };
    await server.open(`#/s/labs/far-files/trace${query}`, viewport);
    await wholeTrace().waitFor();
    await settled();
  };

  it("show the names of files, and begin with the command that failed, at any width", async () => {
    await open(390);
    const failed = row(/Bash mix test ✕ 3 tests/);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await settled();
      for (const [tool, file] of [
        ["Edit", "annotation_reference.ex"],
        ["Read", "CHANGELOG.md"],
        ["Grep", "web_router.ex"],
      ]) {
        const name = row(new RegExp(`Tool call ${tool} `)).getByText(file!, { exact: true });
        await expect.poll(() => isUncut(name)).toBe(true);
      }
      await expect.poll(() => isUncut(failed.getByText("mix test", { exact: true }))).toBe(true);
      const reason = failed.getByText("✕ 3 tests");
      await expect.poll(async () => (await reason.boundingBox())!.width).toBeGreaterThan(40);
    }
  });

  it("have all that they are about in a tooltip", async () => {
    await open(1440);
    const titles = (name: RegExp) =>
      row(name)
        .locator("[title]")
        .evaluateAll((all) => all.map((element) => (element as HTMLElement).title));
    const path = "/home/ada/elsewhere/with/many/folders/between/here/and/there/CHANGELOG.md";
    await expect.poll(() => titles(/Tool call Read/)).toContain(path);
    await expect.poll(() => titles(/Bash/)).toContain("cd /home/ada/projects/spotter && mix test");
  });

  it("are one for a model call, which unfolds to what the model said", async () => {
    await open(1440);
    const call = row(/I change the reference first\./);
    await expect.poll(() => call.getAttribute("aria-expanded")).toBe("false");
    await expect.poll(() => row(/Thinking/).count()).toBe(0);
    await row(/→ Read, Grep/).waitFor();
    await call.click();
    await details().getByText("Then I test it.").waitFor();
    await details().getByText("A reference is missing.").waitFor();
    await details().getByText("88%").waitFor();
    await page.keyboard.press("l");
    await row(/Thinking A reference is missing\./).waitFor();
    await row(/Edit lib\/spotter\/transcripts\/annotation_reference\.ex/).waitFor();
    await details()
      .getByRole("button", { name: /Edit lib\/spotter/ })
      .click();
    await selectedRow().filter({ hasText: "Edit" }).waitFor();
  });

  it("unfold for a text that an address names", async () => {
    await open(1440, "?event=far-files-4");
    await page
      .locator('[role="row"][aria-selected="true"]', { hasText: "TextI change the reference" })
      .waitFor();
  });

  it("are none for a text without words, which has an address all the same", async () => {
    await open(1440);
    await button("Expand all").click();
    await row(/Thinking/).waitFor();
    await expect.poll(() => row(/Thinking/).count()).toBe(1);
    await go("#/s/labs/far-files/trace?event=far-files-9");
    await details().getByText("encrypted").waitFor();
  });
});

function isUncut(text: Locator): Promise<boolean> {
  return text.evaluate((element) => {
    const { right, width } = element.getBoundingClientRect();
    const cell = element.closest('[role="gridcell"]')!.getBoundingClientRect();
    return width > 0 && element.scrollWidth <= element.clientWidth && right <= cell.right + 1;
  });
}
