import { expect } from "vitest";
import { toolInput } from "../../../src/adapters/mcp/tool-input.js";
import { type Answers, type Asked, type Body, type Interview, ownOf, pagesOf } from "./interview.js";

/** Asks every tool that coding agents have about a session. */
export async function askTools(interview: Interview, asked: Asked): Promise<Answers> {
  const { tenantId, sessionId, text } = asked;
  const own = { tenantId, sessionId };
  const tools = new Map(interview.tools().map((tool) => [tool.name, tool]));
  const call = async (name: string, given: object): Promise<string> => {
    const { input, execute } = tools.get(name)!;
    const result = await toolInput(input)["~standard"].validate(given);
    if (result.issues !== undefined) throw new TypeError(JSON.stringify(result.issues));
    const asking = {
      signal: AbortSignal.timeout(60_000),
      onFailure: (error: unknown) => void interview.failures.push(error),
    };
    return (await execute(result.value, asking)).join("\n");
  };
  const pages = (name: string, given: object) => pagesOf((cursor) => call(name, { ...given, ...cursor }));
  const { envelopes } = JSON.parse(await call("trace_slice", own)) as {
    envelopes: { id: string; event: Body }[];
  };
  const { id } = envelopes.find(({ event }) => event.type === "llm.start")!;
  const questions: Readonly<Record<string, () => Promise<unknown>>> = {
    list_sessions: async () => [
      ownOf(asked, "sessions", await pages("list_sessions", {})),
      ownOf(asked, "sessions", [await call("list_sessions", own)]),
    ],
    search: async () => [
      ownOf(asked, "hits", await pages("search", { query: text })),
      ownOf(asked, "hits", await pages("search", { query: `re:${text}`, ...own })),
    ],
    usage: async () => {
      const answer = await call("usage", {
        filter: `tenant:${JSON.stringify(tenantId)} session:${JSON.stringify(sessionId)}`,
      });
      return [JSON.stringify((JSON.parse(answer) as Body).total)];
    },
    session_summary: async () => [
      await call("session_summary", own),
      await call("session_summary", { ...own, jsonFrom: 0 }),
    ],
    compare_sessions: async () => [
      await call("compare_sessions", { ...own, otherTenantId: tenantId, otherSessionId: sessionId }),
    ],
    trace_slice: async () => [
      await pages("trace_slice", { ...own, limit: 5 }),
      await call("trace_slice", { ...own, id }),
      await call("trace_slice", { ...own, from: 1, jsonFrom: 0 }),
    ],
    messages: async () => [
      await pages("messages", own),
      await call("messages", { ...own, from: 1 }),
      await call("messages", { ...own, agentId: "constructor" }),
    ],
    context_at_call: async () => [
      await pages("context_at_call", { ...own, call: id }),
      await call("context_at_call", { ...own, call: id, message: 0 }),
    ],
  };
  expect(Object.keys(questions).sort()).toEqual([...tools.keys()].sort());
  const answers: Record<string, string> = {};
  for (const [name, ask] of Object.entries(questions)) answers[name] = String(await ask());
  return answers;
}
