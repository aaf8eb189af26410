import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { mcpServer } from "../../src/adapters/mcp/mcp-server.js";
import { createInspectorContainer, InProcessPool } from "../../src/advanced.js";
import { useCasesOf } from "../../src/composition/container.js";
import { mountInspector } from "../../src/index.js";
import { sourceOfUnknownInstants } from "../support/unknown-instants.js";

const YEARS = /\b(1970|0001)-\d\d-\d\d/;

it("no tool and no prompt names an instant that is unknown, and the list of the API does", async () => {
  const container = createInspectorContainer(sourceOfUnknownInstants(), { pool: new InProcessPool() });
  const onError = (error: unknown) => {
    throw error;
  };
  const server = mcpServer(useCasesOf(container), { version: "1", description: "a test", onError });
  const client = new Client({ name: "test", version: "1" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  const ask = async (name: string, given: object): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: { ...given } });
    return (content as readonly { readonly text: string }[]).map(({ text }) => text).join("\n");
  };
  const list = await ask("list_sessions", { texts: true, limit: 50 });
  const handles = [...list.matchAll(/^s-[0-9a-f]{10}/gm)].map(([handle]) => handle);
  expect(handles).toHaveLength(5);
  const answers = [
    list,
    await ask("search", { query: "needle", texts: true }),
    await ask("usage", { by: "model" }),
  ];
  for (const session of handles) {
    answers.push(
      await ask("search", { query: "needle", session }),
      await ask("session_summary", { session, about: "overview" }),
      await ask("session_summary", { session, about: "failures" }),
      await ask("trace_slice", { session, limit: 50 }),
    );
  }
  expect(answers.filter((answer) => YEARS.test(answer))).toEqual([]);

  const inspector = mountInspector({ source: container });
  const api = async (path: string) => (await inspector.app.request(`/inspect/api${path}`)).text();
  for (const format of ["prompt", "markdown"]) {
    expect(await api(`/sessions/s0/export?tenantId=acme&format=${format}`)).not.toMatch(YEARS);
  }
  const { sessions } = JSON.parse(await api("/sessions")) as { readonly sessions: readonly object[] };
  expect(sessions).toEqual(
    sessions.map(() => expect.objectContaining({ lastActive: expect.stringMatching(YEARS) })),
  );
  await inspector.close();
});
