import { expect } from "vitest";
import { open, page } from "../browser/browser.js";
import { go, settled } from "../browser/page.js";
import type { TestServer } from "../fixtures/serve-app.js";

const TABS = ["trace", "agents", "messages", "context", "summary"];

/** What hands a session on, and what needs another one beside it. */
const ONLY_SERVED = / ?(Share|Compare|Copy (the errors )?for an agent)$/;

/** The height of the line that a page has as a file alone, in pixels. */
const NOTICE = 28;

/** How long the views may take to be whole: each look at all of them is drawn to its end. */
const POLL = { timeout: 30_000 };

/** @param file its address */
export function openFile(file: string, hash = ""): Promise<void> {
  return open(`${file}${hash}`, { height: 800 + NOTICE, fresh: true });
}

/**
 * Each view of a session in a file shows what the served page shows, and nothing is asked for.
 *
 * @param session its address in the page
 * @param tabs default is all of them
 * @returns what the views show
 */
export async function expectSameViews(
  server: TestServer,
  file: string,
  session: string,
  tabs = TABS,
): Promise<string> {
  const addresses = tabs.map((tab) => `${session}/${tab}`);
  await server.open(addresses[0]!);
  const served: (readonly string[])[][] = [];
  // What is loaded with the first look at a view, and costs, which come behind the steps, are there once another look sees the same.
  await expect
    .poll(async () => {
      const before = JSON.stringify(served.splice(0));
      for (const address of addresses) served.push(await linesAt(address));
      return JSON.stringify(served) === before;
    }, POLL)
    .toBe(true);
  await openFile(file);
  const requests: string[] = [];
  const note = (request: { url(): string }) => requests.push(request.url());
  page.on("request", note);
  for (const [i, address] of addresses.entries()) {
    await expect.poll(() => linesAt(address)).toEqual(served[i]);
  }
  page.off("request", note);
  expect(requests.filter((url) => !/^(blob:null\/|data:)/.test(url))).toEqual([]);
  return served.flat(2).join("\n");
}

/** What a view shows, line by line, without what only a served page can do. */
async function linesAt(address: string): Promise<(readonly string[])[]> {
  await go(address);
  await settled();
  const texts = await page.locator("nav[aria-label=Views], section, #content").allInnerTexts();
  return texts.map((text) =>
    text
      .split("\n")
      .map((line) => line.replace(ONLY_SERVED, ""))
      .filter((line) => line !== ""),
  );
}
