import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import type { InspectorDataSource } from "../../src/index.js";
import { sized } from "../../test/support/soak.js";
import { describeInBrowser, errors, page } from "./browser/browser.js";
import { details, go, settled } from "./browser/page.js";
import { serveSource } from "./fixtures/serve-app.js";
import { SessionWriter } from "./fixtures/session-writer.js";
import { oddEvents, oddMessages } from "./support/odd-session.js";
import { nested, ODD_VALUES } from "./support/odd-values.js";

const VIEWS =
  "trace trace?order=list agents agents?agent=a&shape=graph messages messages?agent=a context summary".split(
    " ",
  );

describeInBrowser("a session of odd values", () => {
  const w = new SessionWriter({ sessionId: "odd", tenantId: "labs" }, Date.UTC(2026, 0, 15));
  let next = 0;
  // The last one exceeds the depth limit of a browser's parser and of messages between threads.
  const values = [...ODD_VALUES.map(([, value]) => value), nested(3_000)];
  const odd = () => values[next++ % values.length];
  for (const [type, fields] of oddEvents(odd)) {
    if (type.startsWith("agent_")) w.orchestrate(type, fields);
    else w.event(type, fields);
  }
  w.orchestrate("agent_job_failed", { agentId: "a", job: { error: { code: 7, why: "late" } } });
  w.messages.push(...oddMessages(odd));
  const events = [...w.envelopes.map(({ id }) => id), ...w.orchestrationEvents.map(({ eventId }) => eventId)];
  const server = serveSource(() => withOddItem(createInMemoryInspectorDataSource([w.session()])));

  it("is shown in every view, and each of its events", async () => {
    await server.open("");
    await page.getByText("1 session", { exact: true }).waitFor();
    for (const view of VIEWS) {
      await go(`#/s/labs/odd/${view}`);
      await settled();
      await expect.poll(() => page.locator("main").getByText("could not be loaded").count()).toBe(0);
    }
    await go("#/s/labs/odd/agents?agent=a");
    await details()
      .getByText(/"why": "late"/)
      .waitFor();
    for (const id of events.filter((_, i) => i % sized(8, 1) === 0)) {
      await go(`#/s/labs/odd/trace?order=list&raw=1&event=${id}`);
      await details().getByText(String(id), { exact: true }).first().waitFor();
    }
    await go("#/compare/labs/odd/labs/odd");
    await page.getByText("Both conversations are equal").waitFor();
    expect(errors.splice(0)).toEqual([]);
  });
});

function withOddItem(source: InspectorDataSource): InspectorDataSource {
  const texts = ["title", "userId", "status", "model", "directory", "source", "prompt", "cost", "usage"];
  const values = Object.fromEntries(texts.map((name, i) => [name, ODD_VALUES[i % ODD_VALUES.length]![1]]));
  return {
    listSessions: async () =>
      (await source.listSessions()).map((item) => ({ ...item, ...(values as Partial<typeof item>) })),
    loadTraceEnvelopes: (...of) => source.loadTraceEnvelopes(...of),
    loadOrchestrationEvents: (...of) => source.loadOrchestrationEvents(...of),
    loadOrchestrationState: (...of) => source.loadOrchestrationState(...of),
    loadMessages: (...of) => source.loadMessages(...of),
  };
}
