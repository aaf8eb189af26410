import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import {
  button,
  details,
  hash,
  heldRequests,
  row,
  scrollTop,
  selectedRow,
  settled,
  wholeTrace,
} from "./browser/page.js";
import { longSession } from "./fixtures/histories.js";
import { askingSession, stalledSession, stuckSession } from "./fixtures/live-sessions.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("the trace of a session that goes on", () => {
  const server = serveHistories([stuckSession(), askingSession(), stalledSession(), longSession(3000)]);
  const open = async (session: string, query = "") => {
    await server.open(`#/s/labs/${session}/trace${query}`, { width: 1440, height: 900 });
    await wholeTrace().waitFor();
  };
  const grid = () => page.getByRole("treegrid");
  const icon = () => page.locator('link[rel="icon"]').getAttribute("href");

  it("counts up what is open, whose bar reaches a line that is now, and draws nothing else anew", async () => {
    await open("stuck");
    await settled();
    const deploy = row(/Deploy/);
    const seconds = async () => {
      const [, minutes = 0, rest] = /(?:(\d+)m )?(\d+)s/.exec((await deploy.textContent()) ?? "") ?? [];
      return Number(minutes) * 60 + Number(rest);
    };
    const before = await seconds();
    expect(before).toBeGreaterThan(40);
    const drawn = await page.evaluate(async () => {
      const rows = new Set<string>();
      const changes = new MutationObserver((all) => {
        for (const { target } of all) {
          const element = target instanceof Element ? target : target.parentElement;
          rows.add(
            element?.closest('[role="row"]')?.textContent?.match(/Deploy|Turn|Bash|Session|Step/)?.[0] ?? "",
          );
        }
      });
      changes.observe(document.querySelector('[role="rowgroup"]')!, {
        subtree: true,
        childList: true,
        characterData: true,
      });
      await new Promise((resolve) => setTimeout(resolve, 1200));
      changes.disconnect();
      return [...rows].sort();
    });
    expect(drawn).toEqual(["Deploy", "Turn"]);
    await expect.poll(seconds).toBeGreaterThan(before);
    // Both in one evaluation: each tick may redraw them.
    const apart = () =>
      page.evaluate(() => {
        const bar = document
          .querySelector('[role="row"] i[data-state="open"][class]')
          ?.getBoundingClientRect();
        const now = document.querySelector('[role="columnheader"] i[class*="now"]')?.getBoundingClientRect();
        return bar === undefined || now === undefined ? undefined : Math.abs(bar.right - now.left);
      });
    await expect.poll(async () => ((await apart()) ?? 99) < 3).toBe(true);
  });

  it("opens a stalled session at the call that hangs, which counts up", async () => {
    await server.open("#/");
    await row(/Mend the tests/)
      .getByText("Stalled", { exact: true })
      .waitFor();
    await server.open("#/s/labs/stalled", { width: 1440, height: 900 });
    await expect.poll(hash).toMatch(/\/trace$/);
    await selectedRow().filter({ hasText: "npm run watch" }).waitFor();
    const time = async () => (await selectedRow().textContent())?.match(/1\dm \d\ds/)?.[0];
    const before = await time();
    expect(before).toBeDefined();
    await expect.poll(time).not.toBe(before);
    await page.getByText(/^Stalled for 1\dm/).waitFor();
  });

  it("folds the same call again and again to one row, which the next error opens", async () => {
    await open("stuck");
    await row(/Bash 12 times make all ✕ make/).waitFor();
    await expect.poll(() => row(/Bash make all/).count()).toBe(0);
    const turn = row(/Turn Mend the build\. 13 tool calls, 12 model calls, 12 errors/);
    await expect.poll(() => turn.getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("e");
    await selectedRow().filter({ hasText: "make all" }).waitFor();
    await expect.poll(() => row(/Tool call Bash make all/).count()).toBeGreaterThan(5);
  });

  it("is named in the tab of the browser, with a dot on its icon where it waits", async () => {
    await open("stuck");
    await expect.poll(() => page.title()).toMatch(/^(Running|Looping|Stalled) · Mend the build/);
    await expect.poll(icon).not.toContain("circle");
    await open("asking");
    await expect.poll(() => page.title()).toMatch(/^Waiting · Deploy it/);
    await expect.poll(icon).toContain("circle");
  });

  it("begins at its top in another order, with the first row below one line of controls", async () => {
    await open("long");
    await grid().evaluate((element) => element.scrollTo(0, 2000));
    await page.getByRole("navigation", { name: "Belongs to" }).getByRole("button").first().waitFor();
    await page.getByRole("columnheader", { name: "Duration" }).getByRole("button").click();
    await expect.poll(() => scrollTop(grid())).toBe(0);
    const view = (await page.getByRole("main").boundingBox())!;
    const first = (await page.locator("#row-0").boundingBox())!;
    expect(first.y - view.y).toBeLessThanOrEqual(100);
  });

  it("shows above its first line what that belongs to, which leads there", async () => {
    await open("long");
    await grid().evaluate((element) => element.scrollTo(0, 2000));
    const turn = page.getByRole("navigation", { name: "Belongs to" }).getByRole("button").first();
    const step = /Step \d+/.exec((await turn.textContent())!)![0];
    await turn.click();
    await expect.poll(() => selectedRow().textContent()).toContain(`Turn${step}`);
  });

  it("says that its counts are so far until all of it has been read", async () => {
    await server.open("#/nowhere");
    const release = await heldRequests("**/orchestration?*");
    await server.open("#/s/labs/stuck/trace", { fresh: true });
    for (const name of [/^Tool 13 so far/, /^Errors 12 so far/]) await button(name).waitFor();
    release();
    await button(/^Errors 12$/).waitFor();
    await page.unroute("**/orchestration?*");
  });

  it("has nothing to copy of an event that is not there", async () => {
    await open("long", "?event=nowhere");
    await details().getByText("This event is not in the trace.").waitFor();
    await expect.poll(() => details().getByRole("button", { name: "Copy" }).count()).toBe(0);
    await expect.poll(() => button("Close details").count()).toBe(1);
  });
});
