import { setTimeout as delay } from "node:timers/promises";
import type { BrowserPage, PipedBrowser } from "./piped-browser.js";

export interface PageMeasures {
  /** From the navigation to the first frame that shows rows. */
  readonly paintedMs: number;
  /** By the browser's own long-task entries; 0 where no task took 50 ms. */
  readonly longestTaskMs: number;
  /** The same, while the list is scrolled to its end. */
  readonly longestScrollTaskMs: number;
  readonly nodes: number;
}

/** How long a page may take. */
const PATIENCE_MS = 60_000;

/** A window that was just opened still loads pages of the browser's own, which takes a processor half a second. */
const WINDOW_MS = 2_000;

/** How long one goes on looking for long tasks after the first rows, and after scrolling. */
const SETTLE_MS = 1_000;

const SCROLL_STEPS = 20;
const STEP_MS = 50;

/** What the first screen of each view is made of, and how much of it at least. */
const ROWS = `
  document.querySelectorAll('[role="gridcell"]').length >= 20 ||
  document.querySelectorAll('main article').length >= 4 ||
  document.querySelector('main ol > li') !== null
`;

/** Runs on the page before anything else. Rows count as painted in the frame after the one that they are first seen in. */
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

/** The list of a view; of the views of a session without a grid, the region that scrolls. */
const SCROLLER = '[role="treegrid"], [role="grid"], main section[tabindex="0"]';

const SCROLL = `(async () => {
  watch.longest = 0;
  const grid = document.querySelector('${SCROLLER}');
  for (let step = 1; step <= ${SCROLL_STEPS}; step++) {
    grid.scrollTop = (grid.scrollHeight * step) / ${SCROLL_STEPS};
    await new Promise((resolve) => setTimeout(resolve, ${STEP_MS}));
  }
})()`;

/** Whether the view has been read to its end. */
const COMPLETE = `document.querySelector('${SCROLLER}') !== null && document.querySelector('[aria-busy="true"]') === null`;

/** An empty window of a browser that knows nothing yet, ready to be measured. */
export async function openWindow(browser: PipedBrowser): Promise<BrowserPage> {
  const page = await browser.openPage(WATCH, 1440, 900);
  await delay(WINDOW_MS);
  return page;
}

/** Opens an address in a window, waits until all of it is there, scrolls to the end, and closes the window. */
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
