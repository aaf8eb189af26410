import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import type { InspectorUseCases } from "../../application/questions/use-cases.js";
import type { SearchReadOptions } from "../../application/search/search-read-options.js";
import { mcpServer } from "./mcp-server.js";

/** A client of a server whose searches are answered by `execute`. */
async function clientOf(execute: (options: SearchReadOptions) => Promise<unknown>) {
  const failures: unknown[] = [];
  const useCases = {
    searchSessions: { execute: (_: unknown, options: SearchReadOptions) => execute(options) },
  } as object as InspectorUseCases;
  const server = mcpServer(useCases, {
    version: "1",
    description: "a test",
    onError: (error, tool) => failures.push([error, tool]),
  });
  const client = new Client({ name: "test", version: "1" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  const search = async () => {
    const { content, isError = false } = await client.callTool({ name: "search", arguments: { query: "x" } });
    return { isError, text: (content as readonly { readonly text: string }[])[0]?.text };
  };
  return { search, failures };
}

const NOTHING = { sessions: [], searched: {}, total: {}, nextCursor: null };

it("answers three calls at a time, and the others in their turn", async () => {
  let atOnce = 0;
  let most = 0;
  const { search } = await clientOf(async () => {
    most = Math.max(most, ++atOnce);
    await new Promise((resolve) => setTimeout(resolve, 1));
    atOnce--;
    return NOTHING;
  });
  const answers = await Promise.all(Array.from({ length: 50 }, search));
  expect(answers.map(({ isError }) => isError)).toEqual(answers.map(() => false));
  expect(most).toBe(3);
});

it("refuses a call that would wait behind two hundred, and says so", async () => {
  let goOn = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { search, failures } = await clientOf(async () => {
    await until;
    return NOTHING;
  });
  const calls = Array.from({ length: 203 }, search);
  expect(await search()).toEqual({
    isError: true,
    text: "3 calls are being answered and 200 wait. Ask again when some have been answered.",
  });
  goOn();
  expect((await Promise.all(calls)).filter(({ isError }) => isError)).toEqual([]);
  expect(failures).toEqual([]);
});

it("tells the host of what an answer only mentions", async () => {
  const cause = new Error("of one session");
  const { search, failures } = await clientOf(async ({ onFailure }) => {
    onFailure?.(cause);
    return NOTHING;
  });
  expect((await search()).isError).toBe(false);
  expect(failures).toEqual([[cause, "search"]]);
});
