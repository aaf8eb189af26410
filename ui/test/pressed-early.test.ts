import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { go, query, row, selectedRow, watchFor, wholeTrace } from "./browser/page.js";
import { checkoutSession, longSession } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("what is pressed before what it is for has been read", () => {
  const server = serveHistories([checkoutSession(), longSession(900)]);
  const open = (hash: string) => server.open(hash, { context: {}, engineDelay: 100 });
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  it("opens the row that the keys before have gone to, far down in a trace", async () => {
    await open("#/s/labs/long/trace");
    await wholeTrace().waitFor();
    await press("L");
    await expect
      .poll(async () => Number(await wholeTrace().getAttribute("aria-rowcount")))
      .toBeGreaterThan(400);
    await press("Home", "PageDown", "PageDown", "PageDown", "PageDown", "PageDown", "Enter");
    await expect.poll(() => query().has("event")).toBe(true);
    await expect.poll(() => selectedRow().getAttribute("aria-rowindex")).toBe("102");
    await press("End", "k");
    const rows = await wholeTrace().getAttribute("aria-rowcount");
    await expect.poll(() => selectedRow().getAttribute("aria-rowindex")).toBe(String(Number(rows) - 1));
  });

  it("goes on behind what it has folded", async () => {
    await open("#/s/labs/long/trace");
    await wholeTrace().waitFor();
    await press("Home", "j", "h", "j");
    await row(/Turn Step 85/)
      .and(selectedRow())
      .waitFor();
  });

  it("steps from the last call of a context", async () => {
    await open("#/s/shop/checkout/context");
    await page.getByText("Call 23 of 23").waitFor();
    await press("1", "4", "[", "[");
    await page.getByText("Call 21 of 23").waitFor();
  });

  it("leaves the steps from error to error alive for the session after", async () => {
    await open("#/s/labs/long/trace");
    await wholeTrace().waitFor();
    await press("e", "e", "u");
    await page.getByRole("grid").waitFor();
    await go("#/s/labs/long/trace");
    await wholeTrace().waitFor();
    await press("e");
    await expect.poll(() => query().has("event")).toBe(true);
  });

  it("says of no event that it is not in the trace before that has been read", async () => {
    await open("#/s/labs/long/trace");
    await wholeTrace().waitFor();
    await press("End", "Enter");
    await expect.poll(() => query().has("event")).toBe(true);
    const { href } = new URL(page.url());
    await page.goto("about:blank");
    await page.goto(new URL("#/", href).href);
    await page.getByRole("grid").waitFor();
    const isSaid = await watchFor("not in the trace");
    await go(new URL(href).hash);
    await selectedRow().waitFor();
    await page.getByRole("heading", { level: 2 }).first().waitFor();
    const wasSaid = await isSaid();
    expect(wasSaid).toBe(false);
  });

  it("says that nothing matches so far, once something else is asked for", async () => {
    await open("#/s/labs/long/trace?kind=compaction");
    await page.getByText("No event matches the filters.").waitFor();
    const isSaid = await watchFor("matches the filters so far");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await wholeTrace().waitFor();
    await expect.poll(isSaid).toBe(true);
  });
});
