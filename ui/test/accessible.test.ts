import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { describeInBrowser } from "./browser/browser.js";
import { settled } from "./browser/settled.js";
import { combinedHistories } from "./fixtures/combined.js";
import { comparedRuns } from "./fixtures/compared-runs.js";
import { describedSessions } from "./fixtures/described-sessions.js";
import { checkoutSession, hookedSession, hostileSession, manySessions } from "./fixtures/histories.js";
import { serveHistories, serveSource, type TestServer } from "./fixtures/serve-app.js";
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

/** A list without sessions. */
const EMPTY_VIEWS: typeof VIEWS = [["a list without sessions", "#/", "No sessions yet"]];

/** As people see each view: by the system's theme, on a desk and on a phone. */
const LOOKS = [1280, 390].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
);

describeInBrowser("accessibility", (visitor) => {
  const server = serving(() =>
    serveHistories([
      checkoutSession(),
      hookedSession(),
      hostileSession(),
      ...comparedRuns(),
      ...manySessions(39),
    ]),
  );
  const combined = serving(() => serveSource(combinedHistories()));
  const agents = serving(() =>
    serveSource(withAgentMessages(createInMemoryInspectorDataSource([checkoutSession()]), EXPLORER)),
  );
  const empty = serving(() => serveHistories([]));
  const views = [
    ...VIEWS.map((view) => [view, server] as const),
    ...COMBINED_VIEWS.map((view) => [view, combined] as const),
    ...AGENT_VIEWS.map((view) => [view, agents] as const),
    ...EMPTY_VIEWS.map((view) => [view, empty] as const),
  ];
  for (const [[name, hash, text, keys = []], served] of views) {
    it(`axe finds nothing wrong with ${name}, light and dark, on a desk and on a phone`, async () => {
      const page = await visitor.open(`${served().address}/${hash}`);
      await page.getByText(text).first().waitFor();
      for (const key of keys) await page.keyboard.press(key);
      const found: string[] = [];
      for (const { width, colorScheme } of LOOKS) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await settled(page);
        found.push(...(await violations(page)).map((line) => `${width} ${colorScheme} ${line}`));
      }
      expect(found).toEqual([]);
      await page.context().close();
    });
  }

  it.each(["light", "dark"] as const)(
    "axe finds nothing wrong with a preview, nor with the menu, %s",
    async (colorScheme) => {
      const described = await serveSource(describedSessions(40));
      const page = await visitor.open(described.address, { colorScheme });
      await page.getByText("40 sessions").waitFor();
      await page.keyboard.press("j");
      await page.getByRole("tooltip").waitFor();
      await settled(page);
      expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: "Appearance and keys" }).click();
      await page.getByRole("radio", { name: "UTC" }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.context().close();
      await described.stop();
    },
  );

  // At 200 % a window of 1280 by 800 has room for 640 by 400.
  for (const [name, hash, text] of VIEWS) {
    it(`${name} can be used at 200 % zoom, without scrolling sideways`, async () => {
      const page = await visitor.open(`${server().address}/${hash}`, {
        viewport: { width: 640, height: 400 },
      });
      await page.getByText(text).first().waitFor();
      await settled(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      await page.context().close();
    });
  }
});

/** A server for as long as the tests run. */
function serving(start: () => Promise<TestServer>): () => TestServer {
  let server: TestServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  return () => server;
}

/** What axe finds by all its rules, best practices and the size of targets too, but for those of level AAA and experiments; in words short enough to read in a failing test. */
async function violations(page: Page): Promise<string[]> {
  // Through the debugger, because the page's own policy runs no script from elsewhere.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
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
    const values = rules.map(({ ruleId }) => ruleId);
    const { violations: found } = await axe.run({ runOnly: { type: "rule", values } });
    return found.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map((n) => `${n.html.slice(0, 160)} ${n.failureSummary.slice(0, 300)}`)
          .join(" | ")
          .slice(0, 900)}`,
    );
  });
}
