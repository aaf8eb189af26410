/**
 * Measures in a browser a typed filter with 5,000 sessions, from the input event to the frame with the rows: `node --import tsx
 * ui/bench/filter-rows.ts` after a build.
 */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createInspectorRoute } from "../../src/advanced.js";
import { createInspectorUi } from "../../src/ui.js";
import { startBrowser } from "../test/browser/browser.js";
import { describedSessions } from "../test/fixtures/described-sessions.js";

const SESSIONS = 5_000;
const FILTERS = [
  "error",
  "cellar",
  "model:opus",
  "errors:>2000",
  "duration:>10h",
  "turns:>0 model:gpt",
  "title:total cellar OR model:sonnet",
];

const app = new Hono();
app.route(
  "/__inspector",
  createInspectorRoute(describedSessions(SESSIONS), { access: () => ({ tenants: "all" }) }),
);
app.route("/", createInspectorUi());
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
await new Promise((resolve) => server.once("listening", resolve));
const address = server.address();
const port = typeof address === "object" && address !== null ? address.port : 0;
const browser = await startBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
// `tsx` adds calls of a helper that the page lacks.
await page.addInitScript("globalThis.__name = (one) => one");
await page.goto(`http://127.0.0.1:${port}/`);
await page.locator('[role="grid"][aria-busy="false"]').waitFor();
await page.getByRole("combobox", { name: "Filter sessions" }).focus();
await page.getByRole("listbox", { name: "Suggestions" }).waitFor();
const durations: number[] = [];
for (const filter of [...FILTERS, ...FILTERS, ...FILTERS]) {
  const measured = await page.evaluate(async (text) => {
    const field = document.querySelector<HTMLInputElement>(
      '[role="combobox"][aria-label="Filter sessions"]',
    )!;
    const grid = document.querySelector('[role="grid"]')!;
    const rows = grid.getAttribute("aria-rowcount");
    const put = (value: string) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field, value);
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    };
    const changed = new Promise<void>((resolve) => {
      new MutationObserver((_, observer) => {
        if (grid.getAttribute("aria-rowcount") === rows) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(resolve));
      }).observe(grid, { attributes: true });
    });
    performance.mark("typed");
    put(text);
    await changed;
    const { duration } = performance.measure("typed to rows", "typed");
    const visible = Number(grid.getAttribute("aria-rowcount")) - 1;
    const cleared = new Promise<void>((resolve) => {
      new MutationObserver((_, observer) => {
        if (grid.getAttribute("aria-rowcount") !== rows) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(resolve));
      }).observe(grid, { attributes: true });
    });
    put("");
    await cleared;
    return { duration, shown: visible };
  }, filter);
  durations.push(measured.duration);
  process.stdout.write(`${measured.duration.toFixed(1).padStart(6)} ms  ${measured.shown} rows  ${filter}\n`);
}
durations.sort((a, b) => a - b);
const [least, median, most] = [durations[0]!, durations[durations.length >> 1]!, durations.at(-1)!];
process.stdout.write(`least ${least.toFixed(1)}, median ${median.toFixed(1)}, most ${most.toFixed(1)} ms\n`);
await browser.close();
server.close();
