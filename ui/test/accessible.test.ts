import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { sized } from "../../test/support/soak.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, overflow, settled } from "./browser/page.js";
import { combinedHistories } from "./fixtures/combined.js";
import { comparedRuns } from "./fixtures/compared-runs.js";
import { describedSessions } from "./fixtures/described-sessions.js";
import { checkoutSession, hookedSession, hostileSession, manySessions } from "./fixtures/histories.js";
import { serveHistories, serveSource } from "./fixtures/serve-app.js";
import { EXPLORER, withAgentMessages } from "./fixtures/with-agent-messages.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Each view, what shows that it is drawn, and keys to press before it is judged. */
const VIEWS: readonly (readonly [name: string, hash: string, text: string, keys?: readonly string[]])[] = [
  ["the sessions", "#/", "44 sessions"],
  ["the sessions by tenant", "#/?group=project&status=error", "session ·"],
  ["the sessions by day", "#/?group=day", "sessions ·"],
  ["no session", "#/?user=nobody", "No session matches"],
  ["what was found", "#/?q=cents", "in 1 session"],
  ["nothing found", "#/?q=nothing-at-all", "Nothing found"],
  ["a pattern with a mistake", "#/?q=re:(", "regular expression"],
  ["what was found by a command", "#/", "44 sessions", ["Control+k", ..."Task"]],
  ["the trace", "#/s/shop/checkout/trace", "FAIL src"],
  ["an error of the trace", "#/s/shop/checkout/trace?q=cents", "FAIL src", ["e"]],
  ["an event as JSON", "#/s/shop/checkout/trace?raw=1", "FAIL src", ["e"]],
  ["an edit", "#/s/shop/checkout/trace?tool=Edit", "src/cart/total.ts", ["j", "j", "Enter"]],
  ["the events by sequence", "#/s/shop/checkout/trace?order=list", "session.start"],
  ["the calls by what they added", "#/s/shop/checkout/trace?order=-added&hide=tool", "Follow rows"],
  ["bookkeeping", "#/s/labs/hooked/trace?bookkeeping=show", "Run the tests first."],
  ["the agents", "#/s/shop/checkout/agents?agent=agent-3", "ran out of turns"],
  ["the graph of the agents", "#/s/shop/checkout/agents?agent=agent-3&shape=graph", "ran out of turns"],
  ["the messages", "#/s/shop/checkout/messages", "npm test"],
  ["a part of the messages", "#/s/shop/checkout/messages?at=17", "adds up cents"],
  ["the context", "#/s/shop/checkout/context?call=20", "Dropped 37"],
  ["the summary", "#/s/shop/checkout/summary", "Where the time went"],

  ["two sessions side by side", "#/compare/shop/good/shop/bad", "A tool is called with something else"],
  ["two sessions that say the same", "#/compare/shop/good/shop/good", "Both conversations say the same"],
  ["the choice of a session to compare with", "#/compare/shop/good", "same project"],
  ["the keys", "#/", "44 sessions", ["?"]],
  ["the commands", "#/s/shop/checkout/trace", "FAIL src", ["Control+k"]],
  ["an address that means nothing", "#/nowhere", "means nothing"],
  ["a session that is not there", "#/s/shop/nobody/trace", "There is no such session"],
  ["a filter that lets nothing through", "#/s/shop/checkout/trace?tool=Nothing", "No event matches"],
  ["the agents without one chosen", "#/s/shop/checkout/agents", "Graph"],
  ["what is said of an error", "#/s/shop/checkout/messages", "npm test", ["e"]],
  ["a comparison with an early call", "#/s/shop/checkout/context?call=20&base=1", "Call 20 of 23"],
];

/** The same of a page that shows several sources. */
const COMBINED_VIEWS: typeof VIEWS = [
  ["the sessions of several sources", "#/", "34 sessions"],
  ["the sessions of one source by tenant", "#/?source=claude-code&group=project", "13 sessions"],
  ["what was found in several sources", "#/?q=apples", "in 1 session"],
  ["a source that failed", "#/", "could not be read."],
];

/** The same of sub-agents with conversations of their own. */
const AGENT_VIEWS: typeof VIEWS = [
  ["the conversation of a sub-agent", "#/s/shop/checkout/messages?agent=agent-1", "Asked by Main agent"],
  ["a sub-agent without one", "#/s/shop/checkout/messages?agent=agent-3", "ran out of turns"],
  [
    "where messages of its context came from",
    "#/s/shop/checkout/context?agent=agent-1&call=2",
    "First seen by",
  ],
  ["what was found in a context", "#/s/shop/checkout/context?call=12&find=ok", "messages"],
  [
    "a call with the conversation that it led to",
    "#/s/shop/checkout/messages?call=tool-7",
    "Conversation of",
  ],
];

/** The same of a list whose entries say all that an entry can. */
const DESCRIBED_VIEWS: typeof VIEWS = [["a preview", "#/", "40 sessions", ["j"]]];

/** A list without sessions. */
const EMPTY_VIEWS: typeof VIEWS = [["a list without sessions", "#/", "No sessions yet"]];

describeInBrowser("accessibility", () => {
  const served = [
    [
      serveHistories([
        checkoutSession(),
        hookedSession(),
        hostileSession(),
        ...comparedRuns(),
        ...manySessions(39),
      ]),
      VIEWS,
    ],
    [serveSource(combinedHistories), COMBINED_VIEWS],
    [
      serveSource(() => withAgentMessages(createInMemoryInspectorDataSource([checkoutSession()]), EXPLORER)),
      AGENT_VIEWS,
    ],
    [serveHistories([]), EMPTY_VIEWS],
    [serveSource(() => describedSessions(40)), DESCRIBED_VIEWS],
  ] as const;
  for (const [server, views] of served) {
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

  it("axe finds nothing wrong with the menu", async () => {
    await served[0][0].open("#/");
    await button("Appearance and keys").click();
    await page.getByRole("radio", { name: "UTC" }).waitFor();
    await findNothing();
  });
});

let judged = 0;

/**
 * Judges what is shown by all rules, and in the dark and on a phone by those on which the theme or the width bears: of every fourth
 * view in each day's tests, of all in a soak.
 */
async function findNothing(): Promise<void> {
  await settled();
  await expect.poll(violations).toEqual([]);
  if (judged++ % sized(4, 1) !== 0) return;
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => violations(["color-contrast"])).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  await settled();
  await expect.poll(() => violations(["target-size", "scrollable-region-focusable"])).toEqual([]);
}

/** What axe finds by all its rules, best practices and the size of targets too, but for those of level AAA and experiments; in words short enough to read in a failing test. */
async function violations(only?: readonly string[]): Promise<string[]> {
  // Through the debugger, because the page's own policy runs no script from elsewhere.
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
