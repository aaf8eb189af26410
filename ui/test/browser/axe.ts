import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { sized } from "../../../test/support/soak.js";
import type { TestServer } from "../fixtures/serve-app.js";
import { page } from "./browser.js";
import { overflow, settled } from "./page.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** `text` appears once the view is drawn; the test presses `keys` before axe runs. */
export type JudgedView = readonly [name: string, hash: string, text: string, keys?: readonly string[]];

/** Applies axe's rules, and forbids sideways scrolling under magnification. */
export function judge(server: TestServer, views: readonly JudgedView[]): void {
  for (const [name, hash, text, keys = []] of views) {
    it(`axe finds nothing wrong with ${name}, which does not scroll sideways`, async () => {
      await server.open(hash);
      await page.getByText(text).first().waitFor();
      for (const key of keys) await page.keyboard.press(key);
      await findNothing();
      // At 200 % a window of 1280 by 800 has room for 640 by 400.
      await page.setViewportSize({ width: 640, height: 400 });
      await settled();
      await expect.poll(overflow).toBeLessThanOrEqual(0);
    });
  }
}

let judged = 0;

/**
 * Applies all rules, and in the dark and on a phone those that depend on theme or width: for every fourth view in each day's tests, for
 * all in a soak.
 */
export async function findNothing(): Promise<void> {
  await settled();
  await expect.poll(violations).toEqual([]);
  if (judged++ % sized(4, 1) !== 0) return;
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => violations(["color-contrast"])).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  await settled();
  await expect.poll(() => violations(["target-size", "scrollable-region-focusable"])).toEqual([]);
}

/** All rules, also best practices and target size, without level AAA and experiments; short enough for a failing test. */
async function violations(only?: readonly string[]): Promise<string[]> {
  // Through the debugger, because the page's own policy forbids other scripts.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as {
      axe: {
        getRules(): { ruleId: string; tags: string[] }[];
        run(options: object): Promise<{
          violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
        }>;
      };
    };
    const left = ["experimental", "deprecated", "wcag2aaa"];
    const rules = axe.getRules().filter(({ tags }) => !tags.some((tag) => left.includes(tag)));
    const values = only ?? rules.map(({ ruleId }) => ruleId);
    const { violations: found } = await axe.run({ runOnly: { type: "rule", values } });
    return found.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map((n) => `${n.html.slice(0, 160)} ${n.failureSummary.slice(0, 300)}`)
          .join(" | ")
          .slice(0, 900)}`,
    );
  }, only);
}
