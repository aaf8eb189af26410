import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { describeInBrowser } from "./browser/browser.js";
import { checkoutSession, WEATHER, writtenSession } from "./fixtures/histories.js";
import { type Served, serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("texts that programs write", (visitor) => {
  let server: Served;
  let page: Page;

  beforeAll(async () => {
    server = await serveHistories([checkoutSession(), writtenSession()]);
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    await page.context().close();
    expect(visitor.errors.splice(0)).toEqual([]);
  });

  const open = async (address: string, colorScheme: "light" | "dark" = "light") => {
    page = await visitor.open(`${server.address}/#/s/${address}`, { colorScheme });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  };

  it("are indented where they are JSON on a line, with every digit, and copied as they are", async () => {
    await open("labs/written/trace");
    await page.getByRole("row", { name: /Tool call Fetch/ }).click();
    const output = page.getByRole("complementary").locator("pre", { hasText: "harbour" });
    await output.waitFor();
    const lines = (await output.textContent())!.split("\n");
    expect(lines.slice(0, 6)).toEqual([
      "{",
      '  "place": "harbour",',
      '  "id": 12345678901234567890,',
      '  "days": [',
      "    {",
      '      "rain": 1.50',
    ]);
    await page.getByRole("button", { name: "Copy text" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(WEATHER);
    await page.getByRole("button", { name: "Show as written" }).click();
    expect(await output.textContent()).toBe(WEATHER);
  });

  it("are shown as they are where a search finds what indenting puts apart", async () => {
    await open(`labs/written/messages?q=${encodeURIComponent('"place":"harbour"')}`);
    await page.getByRole("button", { name: /Fetch/ }).click();
    await page.getByText(WEATHER).waitFor();
  });

  it("are labelled by their tags", async () => {
    await open("labs/written/messages");
    await page.getByRole("region", { name: "Command name" }).getByText("/weather", { exact: true }).waitFor();
    const failed = page.getByRole("region", { name: "Tool use error" });
    await failed.getByText("The <b>file</b> is not there.", { exact: true }).waitFor();
    expect(await page.getByText("<command-name>").count()).toBe(0);
    await open("labs/written/trace");
    await page.getByRole("row", { name: /Read x ✕ The <b>file<\/b> is not there/ }).click();
    await failed.getByText("The <b>file</b> is not there.", { exact: true }).waitFor();
  });

  it("are Markdown where a sub-agent or a model answered, and as written a switch away", async () => {
    await open("labs/written/trace");
    await page.getByRole("row", { name: /Tool call Task/ }).click();
    const details = page.getByRole("complementary");
    await details.getByRole("listitem").getByText("the cellar", { exact: true }).waitFor();
    await details.locator("strong", { hasText: "Two" }).waitFor();
    expect(await details.getByText("<b>no HTML</b>").count()).toBe(1);
    expect(await details.locator("b", { hasText: "no HTML" }).count()).toBe(0);
    await details.getByRole("button", { name: "Show as written" }).click();
    await details.locator("pre", { hasText: "**Two** places" }).waitFor();
    await details.getByRole("button", { name: "Show as Markdown" }).click();
    await details.locator("strong", { hasText: "Two" }).waitFor();
  });

  it.each(["light", "dark"] as const)("have the colours of the theme that is %s", async (theme) => {
    await open("shop/checkout/trace", theme);
    await page.getByRole("row", { name: /Bash npm test -- checkout ✕ FAIL/ }).click();
    const mark = page.getByRole("complementary").locator("pre span", { hasText: "✗" });
    const [shown, error] = await mark.evaluate((span) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = "var(--error)";
      return [getComputedStyle(span).color, getComputedStyle(probe).color];
    });
    expect(shown).toBe(error);
    expect(await page.getByText("\u001b").count()).toBe(0);
  });
});
