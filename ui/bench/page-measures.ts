import type { Browser } from "playwright-core";

export interface PageMeasures {
  /** From the navigation to the first frame with rows in it. */
  readonly paintedMs: number;
  /** By the browser's own long-task entries; 0 where no task took 50 ms. */
  readonly longestTaskMs: number;
  /** Of the page's main thread, in time on the processor: what a machine that does nothing else would take. */
  readonly longestCpuMs: number;
  readonly nodes: number;
  readonly completeMs: number;
}

interface TracedTask {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ph: string;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** The longest task of any renderer's main thread in a browser's trace. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TracedTask[] };
  const threadOf = ({ pid, tid }: TracedTask) => `${pid} ${tid}`;
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(threadOf),
  );
  const tasks = traceEvents.filter((event) => /RunTask/.test(event.name) && main.has(threadOf(event)));
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1000;
}

interface Watch {
  painted: number;
  longest: number;
}

/** Runs on the page before anything else. A text, because it must not depend on how this file is compiled. */
const WATCH = `
  globalThis.watch = { painted: 0, longest: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watch.longest = Math.max(watch.longest, duration);
  }).observe({ type: "longtask", buffered: true });
  requestAnimationFrame(function look() {
    if (document.querySelectorAll('[role="gridcell"]').length < 20) requestAnimationFrame(look);
    else requestAnimationFrame(() => { watch.painted = performance.now(); });
  });
`;

/** Opens an address in a browser that knows nothing yet, and measures until `complete` is on the page. */
export async function measurePage(
  browser: Browser,
  address: string,
  complete: string,
  scroll = false,
): Promise<PageMeasures> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript({ content: WATCH });
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await page.goto(address, { waitUntil: "commit" });
  await page.locator(complete).first().waitFor({ timeout: 60_000 });
  const completeMs = await page.evaluate(() => performance.now());
  if (scroll) {
    const grid = page.locator('[role="treegrid"], [role="grid"]').first();
    for (let step = 1; step <= 20; step++) {
      await grid.evaluate((element, part) => {
        element.scrollTop = element.scrollHeight * part;
      }, step / 20);
      await page.waitForTimeout(50);
    }
  }
  await page.waitForTimeout(500);
  const measures = await page.evaluate(() => {
    const { painted, longest } = (globalThis as unknown as { watch: Watch }).watch;
    return { paintedMs: painted, longestTaskMs: longest, nodes: document.querySelectorAll("*").length };
  });
  const longestCpuMs = longestTask(await browser.stopTracing());
  await context.close();
  return { ...measures, longestCpuMs, completeMs };
}
