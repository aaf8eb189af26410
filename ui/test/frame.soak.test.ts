import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { sized } from "../../test/support/soak.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { go, settled } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveSource } from "./fixtures/serve-app.js";
import { EXPLORER, withAgentMessages } from "./fixtures/with-agent-messages.js";

/** Views of a session; the text appears once the view is drawn. */
const VIEWS = [
  ["trace", "FAIL src"],
  ["trace?event=checkout-4", "Raw JSON"],
  ["agents", "Critical path"],
  ["agents?agent=agent-3&shape=graph", "ran out of turns"],
  ["messages", "npm test"],
  ["context?call=20", "Dropped 37"],
  ["context?agent=agent-1&call=2", "First used by"],
  ["summary", "Time breakdown"],
] as const;

const SIZES = [
  [390, 844],
  [1280, 800],
  [640, 400],
].slice(0, sized(2, 3)) as [number, number][];

/** For a part that scrolls, in pixels: the space below its content, and its visible height. */
const BOUNDS = { mostPadding: 64, leastHeight: 48 };

describeInBrowser("the frame of a session", () => {
  const server = serveSource(() =>
    withAgentMessages(createInMemoryInspectorDataSource([checkoutSession()]), EXPLORER),
  );

  it("does not scroll in any view, and each part that does ends with its content", async () => {
    await server.open("#/nowhere");
    const wrong: string[] = [];
    for (const [hash, text] of VIEWS) {
      await go(`#/s/shop/checkout/${hash}`);
      await page.locator("main").getByText(text).first().waitFor();
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await page.evaluate(scrollAllToTheEnd);
        await settled();
        const found = await page.evaluate(scrolledTooFar, BOUNDS);
        wrong.push(...found.map((line) => `${hash} at ${width}: ${line}`));
      }
    }
    expect(wrong).toEqual([]);
  });
});

function scrollAllToTheEnd(): void {
  for (const element of document.querySelectorAll("*")) element.scrollBy(0, 1e6);
}

/** Parts that scroll but should not, that scroll beyond their content, or that are too low to read. */
function scrolledTooFar({ mostPadding, leastHeight }: typeof BOUNDS): string[] {
  const { scrollTop, scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement;
  const down = Math.max(scrollTop, scrollHeight - clientHeight);
  const sideways = scrollWidth - clientWidth;
  const wrong = down > 0 || sideways > 0 ? [`the frame scrolls by ${down} and ${sideways}`] : [];
  for (const part of document.querySelectorAll("body *")) {
    if (part.scrollHeight <= part.clientHeight || !/auto|scroll/.test(getComputedStyle(part).overflowY))
      continue;
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    let end = -Infinity;
    while (texts.nextNode()) {
      range.selectNodeContents(texts.currentNode);
      end = Math.max(end, range.getBoundingClientRect().bottom);
    }
    const room = part.getBoundingClientRect().bottom - end;
    if (part.clientHeight < leastHeight) wrong.push(`${part.className} has ${part.clientHeight} px`);
    if (room > mostPadding) wrong.push(`${part.tagName} ${part.className} shows ${room} px of nothing`);
  }
  return wrong;
}
