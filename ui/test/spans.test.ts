import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, details, row, settled, wholeTrace } from "./browser/page.js";
import { serveHistories } from "./fixtures/serve-app.js";
import { SessionWriter } from "./fixtures/session-writer.js";

/** Spans of a request to an agent: each comes at its end, without tokens. */
function tracedSession() {
  const start = Date.UTC(2026, 0, 5, 9);
  const writer = new SessionWriter(
    { sessionId: "traced", tenantId: "shop", userId: "ada", title: "Lunch" },
    start,
  );
  const tell = (seconds: number, type: string, fields: object) => {
    writer.at = start + seconds * 1_000;
    writer.event(type, { ...fields });
  };
  const step = (
    spanId: string,
    parentSpanId: string | undefined,
    from: number,
    to: number,
    fields: object = {},
  ) =>
    tell(to, "span", {
      ...{ name: spanId, spanId, parentSpanId, durationMs: (to - from) * 1_000 },
      ...{ startedAt: new Date(start + from * 1_000).toISOString(), ...fields },
    });
  tell(1, "turn.start", { turnIndex: 0, parentSpanId: "POST /chat" });
  tell(2, "llm.start", { callId: "c", model: "m", parentSpanId: "plan" });
  step("POST model", "c", 2.5, 3);
  const said = { name: "Relevance", score: 4.5, label: "relevant" };
  tell(4, "evaluation", { ...said, parentSpanId: "c" });
  tell(4, "llm.end", { callId: "c", model: "m" });
  step("plan", "main", 1.5, 5, { operation: "plan", attributes: { depth: 2 } });
  step("search_memory", "main", 5, 6, { query: "what Ada eats" });
  tell(7, "turn.end", { turnIndex: 0, outcome: "completed" });
  step("POST /chat", undefined, 0, 8);
  const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  writer.turns.push({ ...nothing, updatedAt: writer.at });
  return writer.session();
}

describeInBrowser("a trace of spans", () => {
  const server = serveHistories([tracedSession()]);

  const open = async (view: string) => {
    await server.open(`#/s/shop/traced/${view}`, { width: 1280, height: 900 });
    await settled();
  };

  it("is a tree, in which what no convention names has its place, its length and its attributes", async () => {
    await open("trace");
    await wholeTrace().waitFor();
    await button("Expand all").click();
    const steps = async () => {
      const rows = await page
        .locator('[role="treegrid"] [role="row"][aria-level]')
        .evaluateAll((all) =>
          all.map((one) => [
            one.getAttribute("aria-level"),
            one.querySelector("b")?.textContent,
            one.querySelectorAll('[role="gridcell"]')[1]?.textContent,
          ]),
        );
      return rows.filter(([, name]) => name !== "Session");
    };
    await expect.poll(steps).toEqual([
      ["1", "POST /chat", "8.00s"],
      ["2", "Turn", "6.00s"],
      ["3", "plan", "3.50s"],
      ["4", "m", "2.00s"],
      ["5", "POST model", "500ms"],
      ["5", "Relevance", ""],
      ["3", "search_memory", "1.00s"],
    ]);
    await row(/Relevance 4\.5 · relevant/).waitFor();
    await row(/search_memory what Ada eats/).waitFor();
    await row(/Span plan/).click();
    await details().getByText("depth").waitFor();
  });

  it("says in the place of zeros that nobody counted", async () => {
    await open("summary");
    await page.locator("dd small").getByText("no token counts are recorded").waitFor();
    await page.getByText("Cost breakdown").waitFor();
    await expect.poll(() => page.getByText("$0.00").count()).toBe(0);
    await server.open("", { width: 1280, height: 900 });
    await row(/Lunch .*no token counts are recorded/).waitFor();
  });
});
