import type { Locator } from "playwright-core";
import { goTo, isWaiting, page } from "./browser.js";

/** A page counts as drawn after this number of frames without a change. */
const STILL_FRAMES = 8;

/** In milliseconds: a test may hold an answer back. */
const LONGEST_ANSWER = 10_000;

/**
 * Waits for a stable page: no open request, nothing busy, no finite animation, and some frames without a change. Includes requests that a
 * view makes only once it is there, such as for its code.
 */
export async function settled(): Promise<void> {
  const end = Date.now() + LONGEST_ANSWER;
  do await still(Math.max(0, end - Date.now()));
  while (isWaiting() && Date.now() < end);
}

function still(longestAnswer: number): Promise<void> {
  const given = { wanted: STILL_FRAMES, longestAnswer };
  return page.evaluate(async ({ wanted, longestAnswer }) => {
    const end = performance.now() + longestAnswer;
    let still = 0;
    const changes = new MutationObserver(() => {
      still = 0;
    });
    changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    await document.fonts.ready;
    for (; still < wanted; still++) {
      await new Promise(requestAnimationFrame);
      const isBusy = document.querySelector('[aria-busy="true"]') !== null;
      const moving = document
        .getAnimations()
        .find(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      const isAsking = globalThis.underWay > 0 && performance.now() < end;
      if (isBusy || moving !== undefined || isAsking) still = -1;
    }
    changes.disconnect();
  }, given);
}

/** Notices even a brief text from now on. @returns true if it appeared so far */
export async function watchFor(text: string): Promise<() => Promise<boolean>> {
  const seen = await page.evaluateHandle((wanted) => {
    const state = { isSaid: false };
    new MutationObserver(() => {
      state.isSaid ||= document.body.textContent.includes(wanted);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return state;
  }, text);
  return () => seen.evaluate(({ isSaid }) => isSaid);
}

export async function go(hash: string): Promise<void> {
  await page.evaluate(goTo, hash);
}

export const hash = (): string => new URL(page.url()).hash;

export const query = (): URLSearchParams => new URLSearchParams(hash().split("?")[1]);

export const row = (name: RegExp | string): Locator => page.getByRole("row", { name });
export const selectedRow = (): Locator => page.locator('[role="row"][aria-selected="true"]');
export const details = (): Locator => page.getByRole("complementary");
export const button = (name: RegExp | string): Locator => page.getByRole("button", { name });

export const failedRow = (): Locator => row(/Bash npm test -- checkout ✕ FAIL/);

export const wholeTrace = (): Locator => page.locator('[role="treegrid"][aria-busy="false"]');

/** Includes lines out of sight, once the trace is drawn to its end. */
export const lineCount = async (): Promise<number> =>
  Number(await wholeTrace().getAttribute("aria-rowcount"));

export async function choose(listbox: string, option: string | RegExp): Promise<void> {
  await page.getByRole("combobox", { name: listbox, exact: true }).click();
  await page.getByRole("option", { name: option }).click();
}

export const scrollTop = (element: Locator): Promise<number> => element.evaluate((one) => one.scrollTop);
export const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((one) => one === document.activeElement);

export const overflow = (): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

export const nodeCount = (): Promise<number> => page.evaluate(() => document.querySelectorAll("*").length);
export const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

export function markedTexts(): Promise<string[]> {
  return page.evaluate(() => {
    const ranges = CSS.highlights.get("search") ?? [];
    const texts = [...(ranges as Iterable<Range>)].filter((range) => {
      const { top, bottom, height } = range.getBoundingClientRect();
      return height > 0 && top >= 0 && bottom <= innerHeight;
    });
    return texts.map(
      (range) => `${range.startContainer.parentElement?.closest("aside") ? "details: " : ""}${range}`,
    );
  });
}

/** Of the list or of the session. */
export const searchField = () => page.getByRole("searchbox");

export const searchResults = () => page.getByRole("list", { name: "Search results" });

export const searchHits = () =>
  searchResults()
    .getByRole("link")
    .filter({ has: page.locator("mark") });

export const searchPosition = () => page.locator("search output");

/** @returns releases the requests */
export async function heldRequests(address: string | RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
