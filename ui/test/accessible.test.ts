import { it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { findNothing, judge } from "./browser/axe.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button } from "./browser/page.js";
import { combinedHistories } from "./fixtures/combined.js";
import { comparedRuns } from "./fixtures/compared-runs.js";
import { describedSessions } from "./fixtures/described-sessions.js";
import { checkoutSession, manySessions } from "./fixtures/histories.js";
import { serveHistories, serveSource } from "./fixtures/serve-app.js";
import { EXPLORER, withAgentMessages } from "./fixtures/with-agent-messages.js";

/** One of each kind of view; `accessible.soak.test.ts` has what they look like in other states. */
describeInBrowser("accessibility", () => {
  const server = serveHistories([checkoutSession(), ...comparedRuns(), ...manySessions(39)]);
  judge(server, [
    ["the sessions by tenant", "#/?group=project&status=error", "session ·"],
    ["what was found", "#/?q=cents", "in 1 session"],
    ["an error of the trace", "#/s/shop/checkout/trace?q=cents", "FAIL src", ["e"]],
    ["an edit", "#/s/shop/checkout/trace?tool=Edit", "src/cart/total.ts", ["j", "j", "Enter"]],
    ["the agents", "#/s/shop/checkout/agents?agent=agent-3", "ran out of turns"],
    ["the messages", "#/s/shop/checkout/messages", "npm test"],
    ["the context", "#/s/shop/checkout/context?call=20", "Dropped 37"],
    ["the summary", "#/s/shop/checkout/summary", "Time breakdown"],
    ["two sessions side by side", "#/compare/shop/good/shop/bad", "A tool is called with something else"],
    ["the keys", "#/", "42 sessions", ["?"]],
    ["the commands", "#/s/shop/checkout/trace", "FAIL src", ["Control+k"]],
  ]);
  judge(serveSource(combinedHistories), [["the sessions of several sources", "#/", "34 sessions"]]);
  judge(
    serveSource(() => withAgentMessages(createInMemoryInspectorDataSource([checkoutSession()]), EXPLORER)),
    [["the conversation of a sub-agent", "#/s/shop/checkout/messages?agent=agent-1", "Asked by Main agent"]],
  );
  judge(serveHistories([]), [["a list without sessions", "#/", "No sessions yet"]]);
  judge(
    serveSource(() => describedSessions(40)),
    [["a preview", "#/", "40 sessions", ["j"]]],
  );

  it("axe finds nothing wrong with the menu", async () => {
    await server.open("#/");
    await button("Appearance and keys").click();
    await page.getByRole("radio", { name: "UTC" }).waitFor();
    await findNothing();
  });
});
