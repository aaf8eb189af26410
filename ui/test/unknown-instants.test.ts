import { expect, it } from "vitest";
import { sourceOfUnknownInstants } from "../../test/support/unknown-instants.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { row, settled } from "./browser/page.js";
import { serveSource } from "./fixtures/serve-app.js";

describeInBrowser("a session whose instants are unknown", () => {
  const server = serveSource(sourceOfUnknownInstants);

  it.each([
    ["the list", "#/", 5],
    ["the list by days", "#/?group=day", 5],
    ["a session that says the epoch", "#/s/acme/s0/trace?event=e0", 0],
    ["a session that says the year 1", "#/s/acme/s3/trace?event=e0", 0],
    ["its summary", "#/s/acme/s0/summary", 0],
  ])("shows none of them, and how long ago they were neither: %s", async (_, address, rows) => {
    await server.open(address);
    await (rows > 0
      ? row(/Needle/).nth(rows - 1)
      : page.getByText("no errors").or(page.getByText("1 error")).first()
    ).waitFor();
    await settled();
    await expect.poll(() => page.evaluate(oldTexts)).toEqual([]);
  });
});

/** Runs in the page: what is visible or appears when the pointer rests, of decades ago. */
function oldTexts(): string[] {
  const hints = [...document.querySelectorAll("*")].flatMap((element) =>
    ["title", "data-tip", "datetime", "aria-label"].map((name) => element.getAttribute(name) ?? ""),
  );
  const old = /\b(19[67]\d|000[01])-\d\d-\d\d|\b\d+y\b|\b\d{4,}y\b/;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const lines = [...hints];
  while (texts.nextNode()) lines.push(texts.currentNode.textContent ?? "");
  // The JSON of a record is shown as it was recorded.
  return lines.filter((line) => old.test(line) && !line.includes('"'));
}
