/**
 * Takes a picture for the documentation: `node --import tsx ui/test/screenshot.ts ADDRESS FILE [dark]`.
 * @example node --import tsx ui/test/screenshot.ts "http://127.0.0.1:45100/#/?q=total" docs/images/search.png
 */
import { startBrowser } from "./browser/browser.js";

const [address = "", path = "", scheme] = process.argv.slice(2);
const browser = await startBrowser();
const colorScheme = scheme === "dark" ? "dark" : "light";
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
await page.goto(address);
await page.locator("main").waitFor();
await page.locator("progress").waitFor({ state: "detached" });
await page
  .locator(address.includes("q=") ? "mark" : "[role=row] a, [data-kind], [role=slider] rect")
  .first()
  .waitFor();
await page.screenshot({ path });
await browser.close();
