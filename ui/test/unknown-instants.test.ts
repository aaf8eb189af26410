import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { sourceOfUnknownInstants } from "../../test/support/unknown-instants.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { row, settled } from "./browser/page.js";
import { serveSource } from "./fixtures/serve-app.js";

describeInBrowser("a session whose instants are unknown", () => {
  const server = serveSource(sourceOfUnknownInstants);

  const lastRow = () => row(/Needle/).nth(4);
  const header = () => page.getByText("no errors").or(page.getByText("1 error")).first();

  it.each<readonly [view: string, address: string, loaded: () => Locator]>([
    ["the list", "#/", lastRow],
    ["the list by days", "#/?group=day", lastRow],
    ["the matches of a search", "#/?q=needle", () => page.getByText("in 5 sessions").first()],
    ["a trace of the year 1", "#/s/acme/s3/trace?event=e0", header],
    ...["trace?event=e0", "agents", "messages", "context", "summary"].map(
      (view) => [`${view} of the epoch`, `#/s/acme/s0/${view}`, header] as const,
    ),
  ])("displays no instant, and no time since then: %s", async (_, address, loaded) => {
    await server.open(address);
    await loaded().waitFor();
    await settled();
    await expect.poll(() => page.evaluate(oldTexts)).toEqual([]);
  });
});

/** Runs in the page. @returns visible texts and hints with an instant of decades ago */
function oldTexts(): string[] {
  const hints = [...document.querySelectorAll("*")].flatMap((element) =>
    ["title", "data-tip", "datetime", "aria-label"].map((name) => element.getAttribute(name) ?? ""),
  );
  const old = /\b(19[67]\d|000[01])-\d\d-\d\d|\b\d+y\b|\b\d{4,}y\b/;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const lines = [...hints];
  while (texts.nextNode()) lines.push(texts.currentNode.textContent ?? "");
  // The JSON of a record has the recorded time.
  return lines.filter((line) => old.test(line) && !line.includes('"'));
}
