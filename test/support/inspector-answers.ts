import { createInspectorContainer, createInspectorRoute, InProcessPool } from "../../src/advanced.js";
import type { InspectorDataSource } from "../../src/index.js";

const OF_THE_SOURCE =
  /"(syncToken|nextCursor)":"[^"]*"|"(searched|total)":\{"sessions":[^}]*\}|"pace":\{[^}]*\}/g;

interface Listed {
  readonly tenantId: string;
  readonly sessionId: string;
}

/**
 * Answers by question, for each session and for all together. Without tokens and cursors (only their source understands them), search
 * progress, and values that depend on the time.
 */
export async function answersOf(source: InspectorDataSource): Promise<ReadonlyMap<string, string>> {
  const container = createInspectorContainer(source, { pool: new InProcessPool() });
  const route = createInspectorRoute(container, { timeoutMs: 600_000 });
  const answers = new Map<string, string>();
  const ask = async (path: string) => {
    const response = await route.request(path);
    const text = await response.text();
    // Removes white space, which belongs to the records.
    const own = JSON.stringify(JSON.parse(text)).replace(OF_THE_SOURCE, "");
    answers.set(path, `${response.status} ${own}`);
    return text;
  };
  /** All pages: the size of a page depends on the time. */
  const hits = async (session: URLSearchParams) => {
    const found: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const from = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await (await route.request(`/search?q=the&limit=1000&${session}${from}`)).text();
      const { hits: some, nextCursor } = JSON.parse(page) as { hits: unknown[]; nextCursor: string | null };
      found.push(...some);
      cursor = nextCursor;
    }
    return found;
  };
  const { sessions } = JSON.parse(await ask("/sessions?limit=1000")) as { sessions: readonly Listed[] };
  for (const by of ["day", "model", "tool", "project"]) {
    // The default end is the current quarter of an hour, so both are fixed. Facts are read within a time limit: the answer is complete
    // once none is unread.
    const path = `/overview?by=${by}&from=2020-01-01&to=2030-01-01`;
    while ((JSON.parse(await ask(path)) as { coverage: { unread: number } }).coverage.unread > 0);
  }
  for (const [i, { tenantId, sessionId }] of sessions.entries()) {
    const key = new URLSearchParams({ tenantId });
    const of = (what: string, more: Record<string, string> = {}) =>
      ask(`/sessions/${encodeURIComponent(sessionId)}/${what}?${key}&${new URLSearchParams(more)}`);
    const { envelopes } = JSON.parse(await of("trace")) as {
      envelopes: { readonly id: string; readonly event: { readonly type: string } }[];
    };
    const { agents } = JSON.parse(await of("orchestration")) as { agents: { readonly agentId: string }[] };
    await of("messages");
    for (const { agentId } of agents.slice(0, 3)) await of("messages", { agentId });
    await of("messages", { agentId: "nobody" });
    await of("summary");
    const calls = envelopes.filter(({ event }) => event.type === "llm.start").map(({ id }) => id);
    for (const call of new Set([calls[0], calls.at(-1)])) {
      if (call === undefined) continue;
      await of("context", { call });
      await of("provenance", { call, message: "1" });
    }
    answers.set(
      `search in ${tenantId}/${sessionId}`,
      JSON.stringify(await hits(new URLSearchParams({ tenantId, sessionId }))),
    );
    const other = sessions[(i + 1) % sessions.length]!;
    const sides = { otherSessionId: other.sessionId, otherTenantId: other.tenantId };
    await ask(`/compare?${key}&${new URLSearchParams({ sessionId, ...sides })}`);
    const head = await route.request(`/sessions/${encodeURIComponent(sessionId)}/trace?${key}`, {
      method: "HEAD",
    });
    answers.set(`revision of ${tenantId}/${sessionId}`, String(head.headers.get("ETag")));
  }
  return answers;
}
