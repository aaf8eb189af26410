import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, clipboard, details, failedRow, row } from "./browser/page.js";
import { checkoutSession, WEATHER, writtenSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("texts that programs write", () => {
  const server = serveHistories([checkoutSession(), writtenSession()]);

  const open = async (address: string, colorScheme: "light" | "dark" = "light") => {
    await server.open(`#/s/${address}`, { colorScheme });
  };

  it("are indented where they are JSON on a line, with every digit, and copied as they are", async () => {
    await open("labs/written/trace");
    await row(/Tool call Fetch/).click();
    const output = details().locator("pre", { hasText: "harbour" });
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
    await button("Copy text").click();
    await button("Copied").waitFor();
    await expect.poll(clipboard).toBe(WEATHER);
    await button("Show as written").click();
    await expect.poll(() => output.textContent()).toBe(WEATHER);
  });

  it("are shown as they are where a search finds what indenting puts apart", async () => {
    await open(`labs/written/messages?q=${encodeURIComponent('"place":"harbour"')}`);
    await button(/Fetch/).click();
    await page.getByText(WEATHER).waitFor();
  });

  it("are labelled by their tags", async () => {
    await open("labs/written/messages");
    await page.getByRole("region", { name: "Command name" }).getByText("/weather", { exact: true }).waitFor();
    const failed = page.getByRole("region", { name: "Tool use error" });
    await failed.getByText("The <b>file</b> is not there.", { exact: true }).waitFor();
    await expect.poll(() => page.getByText("<command-name>").count()).toBe(0);
    await open("labs/written/trace");
    await row(/Read x ✕ The <b>file<\/b> is not there/).click();
    await failed.getByText("The <b>file</b> is not there.", { exact: true }).waitFor();
  });

  it("are Markdown where a sub-agent or a model answered, and as written a switch away", async () => {
    await open("labs/written/trace");
    await row(/Tool call Task/).click();
    await details().getByRole("listitem").getByText("the cellar", { exact: true }).waitFor();
    await details().locator("strong", { hasText: "Two" }).waitFor();
    await expect.poll(() => details().getByText("<b>no HTML</b>").count()).toBe(1);
    await expect.poll(() => details().locator("b", { hasText: "no HTML" }).count()).toBe(0);
    await details().getByRole("button", { name: "Show as written" }).click();
    await details().locator("pre", { hasText: "**Two** places" }).waitFor();
    await details().getByRole("button", { name: "Show as Markdown" }).click();
    await details().locator("strong", { hasText: "Two" }).waitFor();
  });

  it.each(["light", "dark"] as const)("have the colours of the theme that is %s", async (theme) => {
    await open("shop/checkout/trace", theme);
    await failedRow().click();
    const mark = details().locator("pre span", { hasText: "✗" });
    const [shown, error] = await mark.evaluate((span) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = "var(--error)";
      return [getComputedStyle(span).color, getComputedStyle(probe).color];
    });
    expect(shown).toBe(error);
    await expect.poll(() => page.getByText("\u001b").count()).toBe(0);
  });
});
