import { expect } from "vitest";
import { open, page } from "../browser/browser.js";
import { go, settled } from "../browser/page.js";
import type { TestServer } from "../fixtures/serve-app.js";

const TABS = ["trace", "agents", "messages", "context", "summary"];

/** Controls that share a session, or that need another one. */
const ONLY_SERVED = / ?(Share|Compare|Copy (the errors )?for an agent)$/;

/** Height of the notice line in a standalone file, in pixels. */
const NOTICE = 28;

/** Each attempt draws all views to their end. */
const POLL = { timeout: 30_000 };

export function openFile(file: string, hash = ""): Promise<void> {
  return open(`${file}${hash}`, { height: 800 + NOTICE, fresh: true });
}

/**
 * Each view of a session in a file shows the same as the served page, without any request.
 * @param session its address in the page
 * @param tabs default is all of them
 * @returns the lines of the views
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
  // The first visit loads code, and costs come after the steps: a view is complete once two visits show the same.
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

/** Without controls that only a served page has. */
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
