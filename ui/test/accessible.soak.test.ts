import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { judge } from "./browser/axe.js";
import { describeInBrowser } from "./browser/browser.js";
import { combinedHistories } from "./fixtures/combined.js";
import { comparedRuns } from "./fixtures/compared-runs.js";
import { describedSessions } from "./fixtures/described-sessions.js";
import { checkoutSession, hookedSession, hostileSession, manySessions } from "./fixtures/histories.js";
import { serveHistories, serveSource } from "./fixtures/serve-app.js";
import { EXPLORER, withAgentMessages } from "./fixtures/with-agent-messages.js";

describeInBrowser("accessibility of further states", () => {
  judge(
    serveHistories([
      checkoutSession(),
      hookedSession(),
      hostileSession(),
      ...comparedRuns(),
      ...manySessions(39),
    ]),
    [
      ["what was found", "#/?q=cents", "in 1 session"],
      ["the agents", "#/s/shop/checkout/agents?agent=agent-3", "ran out of turns"],
      ["the commands", "#/s/shop/checkout/trace", "FAIL src", ["Control+k"]],
      ["an edit", "#/s/shop/checkout/trace?tool=Edit", "src/cart/total.ts", ["j", "j", "Enter"]],
      ["the context", "#/s/shop/checkout/context?call=20", "Dropped 37"],
      ["two sessions side by side", "#/compare/shop/good/shop/bad", "Different tool input"],
      ["the keys", "#/", "44 sessions", ["?"]],
      ["the sessions", "#/", "44 sessions"],
      ["the sessions by day", "#/?group=day", "sessions ·"],
      ["no session", "#/?filter=user:nobody", "No session matches"],
      ["nothing found", "#/?q=nothing-at-all", "No match"],
      ["a pattern with a mistake", "#/?q=re:(", "regular expression"],
      ["what was found by a command", "#/", "44 sessions", ["Control+k", ..."Task"]],
      ["the trace", "#/s/shop/checkout/trace", "FAIL src"],
      ["an event as JSON", "#/s/shop/checkout/trace?raw=1", "FAIL src", ["e"]],
      ["the events by sequence", "#/s/shop/checkout/trace?order=list", "session.start"],
      ["the calls by what they added", "#/s/shop/checkout/trace?order=-added&hide=tool", "Fit to rows"],
      ["bookkeeping", "#/s/labs/hooked/trace?bookkeeping=show", "Run the tests first."],
      ["the graph of the agents", "#/s/shop/checkout/agents?agent=agent-3&shape=graph", "ran out of turns"],
      ["a part of the messages", "#/s/shop/checkout/messages?at=17", "adds up cents"],
      ["two sessions that say the same", "#/compare/shop/good/shop/good", "Both conversations are equal"],
      ["one session against several", "#/compare/shop/good/shop/bad/shop/good", "Median of the group"],
      ["the choice of a session to compare with", "#/compare/shop/good", "same project"],
      ["an address that means nothing", "#/nowhere", "Page not found"],
      ["a session that is not there", "#/s/shop/nobody/trace", "There is no such session"],
      ["a filter that lets nothing through", "#/s/shop/checkout/trace?tool=Nothing", "No event matches"],
      ["the agents without one chosen", "#/s/shop/checkout/agents", "Graph"],
      ["what is said of an error", "#/s/shop/checkout/messages", "npm test", ["e"]],
      ["a comparison with an early call", "#/s/shop/checkout/context?call=20&base=1", "Call 20 of 23"],
    ],
  );
  judge(serveSource(combinedHistories), [
    ["the sessions of several sources", "#/", "34 sessions"],
    ["the sessions of one source by tenant", "#/?filter=source:claude-code&group=project", "13 of "],
    ["what was found in several sources", "#/?q=apples", "in 1 session"],
    ["a source that failed", "#/", "could not be read."],
  ]);
  judge(
    serveSource(() => withAgentMessages(createInMemoryInspectorDataSource([checkoutSession()]), EXPLORER)),
    [
      ["the conversation of a sub-agent", "#/s/shop/checkout/messages?agent=agent-1", "Prompt by Main agent"],
      ["a sub-agent without one", "#/s/shop/checkout/messages?agent=agent-3", "ran out of turns"],
      [
        "where messages of its context came from",
        "#/s/shop/checkout/context?agent=agent-1&call=2",
        "First used by",
      ],
      ["what was found in a context", "#/s/shop/checkout/context?call=12&find=ok", "messages"],
      [
        "a call with the conversation that it led to",
        "#/s/shop/checkout/messages?call=tool-7",
        "Conversation of",
      ],
    ],
  );
  judge(serveHistories([]), [["a list without sessions", "#/", "No sessions yet"]]);
  judge(
    serveSource(() => describedSessions(40)),
    [["a preview", "#/", "40 sessions", ["j"]]],
  );
});
