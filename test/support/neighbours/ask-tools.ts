import { expect } from "vitest";
import { renderAnswer } from "../../../src/adapters/mcp/answer/render-answer.js";
import { toolInput } from "../../../src/adapters/mcp/tools/tool-input.js";
import type { Answers, Asked, Interview } from "./interview.js";

export async function askTools(interview: Interview, asked: Asked): Promise<Answers> {
  const { tenantId, sessionId, text } = asked;
  const tools = new Map(interview.tools().map((tool) => [tool.name, tool]));
  const handles = interview.handles();
  const own = { session: handles.session(asked).text };
  const call = async (name: string, given: object): Promise<string> => {
    const { input, execute } = tools.get(name)!;
    const result = await toolInput(input)["~standard"].validate(given);
    if (result.issues !== undefined) throw new TypeError(JSON.stringify(result.issues));
    const asking = {
      signal: AbortSignal.timeout(60_000),
      onFailure: (error: unknown) => void interview.failures.push(error),
      handles,
    };
    const answer = renderAnswer(await execute(result.value, asking), { nonce: () => "0123456789abcdef" });
    // Another opening of a source has other revisions.
    return answer.replace(/(s-[0-9a-f]{10})@[0-9a-f]{8}/g, "$1");
  };
  const pages = async (name: string, given: object) => {
    const all: string[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      all.push(await call(name, { ...given, ...(cursor === "" ? {} : { cursor }) }));
      cursor = /\bnext=(c-[0-9a-f]{10})$/m.exec(all.at(-1)!)?.[1];
      if (all.length > 20_000) throw new Error("There is no last page.");
    }
    return all;
  };
  const ownLines = (all: readonly string[]) =>
    all.flatMap((page) => page.split("\n").filter((line) => line.includes(own.session)));
  const trace = await call("trace_slice", { ...own, limit: 50 });
  const at = /^(\d+) \S+ llm\.start /m.exec(trace)![1]!;
  const questions: Readonly<Record<string, () => Promise<unknown>>> = {
    list_sessions: async () => [
      ownLines(await pages("list_sessions", { texts: true })),
      ownLines(await pages("list_sessions", { sort: "tokens", limit: 50 })),
    ],
    search: async () => [
      // The progress within a session depends on the time.
      ownLines(await pages("search", { query: text, texts: true })).length > 0,
      await pages("search", { query: `re:${text}`, ...own, texts: true }),
    ],
    usage: async () => {
      const filter = `tenant:${JSON.stringify(tenantId)} session:${JSON.stringify(sessionId)}`;
      return /^total: .*$/m.exec(await call("usage", { filter }))![0];
    },
    session_summary: () =>
      Promise.all(
        ["overview", "cost", "failures", "context", "repeats", "time"].map((about) =>
          call("session_summary", { ...own, about, texts: true }),
        ),
      ),
    compare: () => call("compare", { ...own, other: own.session, texts: true }),
    trace_slice: async () => [
      await pages("trace_slice", { ...own, limit: 5, texts: true }),
      await call("trace_slice", { ...own, at }),
      await call("trace_slice", { ...own, at: "1", jsonFrom: 0 }),
    ],
    messages: async () => [
      await pages("messages", { ...own, texts: true }),
      await call("messages", { ...own, from: 1 }),
    ],
    context_at_call: async () => [
      await pages("context_at_call", { ...own, at, texts: true }),
      await call("context_at_call", { ...own, at, message: 0, texts: true }),
    ],
  };
  expect(Object.keys(questions).sort()).toEqual([...tools.keys()].sort());
  const answers: Record<string, string> = {};
  for (const [name, ask] of Object.entries(questions)) answers[name] = String(await ask());
  return answers;
}
