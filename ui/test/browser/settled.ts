import type { Page } from "playwright-core";

/** How many frames a page has to pass without a change, until it counts as drawn. */
const STILL_FRAMES = 10;

/**
 * Waits until a page has drawn what it has: nothing on it is busy, no animation runs that ends, and some frames pass in which
 * nothing of it changes. What is asked for only once a view is there, such as a view's own code, is in it too.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async (wanted) => {
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
      if (isBusy || moving !== undefined) still = -1;
    }
    changes.disconnect();
  }, STILL_FRAMES);
}
