import type { Locator, Page } from "playwright-core";

/** The rows of a trace that has been read and drawn to its end. */
export function wholeTrace(page: Page): Locator {
  return page.locator('[role="treegrid"][aria-busy="false"]');
}

/** How many lines a trace has, those out of sight too, once it has been drawn to its end. */
export async function lineCount(page: Page): Promise<number> {
  return Number(await wholeTrace(page).getAttribute("aria-rowcount"));
}
