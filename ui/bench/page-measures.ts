import { setTimeout as delay } from "node:timers/promises";
import type { BrowserPage, PipedBrowser } from "./piped-browser.js";

export interface PageMeasures {
  /** From the navigation to the first frame that shows rows. */
  readonly paintedMs: number;
  /** By the browser's own long-task entries; 0 where no task took 50 ms. */
  readonly longestTaskMs: number;
  /** During a scroll to the end of the list. */
  readonly longestScrollTaskMs: number;
  readonly nodes: number;
}

/** Time limit of a page. */
const PATIENCE_MS = 60_000;

/** A new window still loads the browser's own pages, which takes half a second of a processor. */
const WINDOW_MS = 2_000;

/** Long tasks count up to this time after the first rows, and after the scroll. */
const SETTLE_MS = 1_000;

const SCROLL_STEPS = 20;
const STEP_MS = 50;

/** Minimal content of each view's first screen. */
const ROWS = `
  document.querySelectorAll('[role="gridcell"]').length >= 20 ||
  document.querySelectorAll('main article').length >= 4 ||
  document.querySelector('main ol > li') !== null
`;

/** Runs before the page's scripts. Rows count as painted one frame after their first appearance. */
const WATCH = `
  globalThis.watch = { painted: 0, longest: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watch.longest = Math.max(watch.longest, duration);
  }).observe({ type: "longtask", buffered: true });
  requestAnimationFrame(function check() {
    if (!(${ROWS})) requestAnimationFrame(check);
    else requestAnimationFrame(() => { watch.painted = performance.now(); });
  });
`;

/** The list of a view; without a grid, the region that scrolls. */
const SCROLLER = '[role="treegrid"], [role="grid"], main section[tabindex="0"]';

const SCROLL = `(async () => {
  watch.longest = 0;
  const grid = document.querySelector('${SCROLLER}');
  for (let step = 1; step <= ${SCROLL_STEPS}; step++) {
    grid.scrollTop = (grid.scrollHeight * step) / ${SCROLL_STEPS};
    await new Promise((resolve) => setTimeout(resolve, ${STEP_MS}));
  }
})()`;

const COMPLETE = `document.querySelector('${SCROLLER}') !== null && document.querySelector('[aria-busy="true"]') === null`;

/** With an empty cache. */
export async function openWindow(browser: PipedBrowser): Promise<BrowserPage> {
  const page = await browser.openPage(WATCH, 1440, 900);
  await delay(WINDOW_MS);
  return page;
}

/** Waits for all content, scrolls to the end, and closes the window. */
export async function measurePage(page: BrowserPage, address: string): Promise<PageMeasures> {
  await page.show(address);
  const until = performance.now() + PATIENCE_MS;
  while (!(await page.evaluate(`watch.painted > 0 && ${COMPLETE}`))) {
    if (performance.now() > until) throw new Error(`Nothing came of ${address}.`);
    await delay(100);
  }
  await delay(SETTLE_MS);
  const paintedMs = Number(await page.evaluate("watch.painted"));
  const longestTaskMs = Number(await page.evaluate("watch.longest"));
  const nodes = Number(await page.evaluate("document.querySelectorAll('*').length"));
  await page.evaluate(SCROLL);
  await delay(SETTLE_MS);
  const longestScrollTaskMs = Number(await page.evaluate("watch.longest"));
  await page.close();
  return { paintedMs, longestTaskMs, longestScrollTaskMs, nodes };
}
