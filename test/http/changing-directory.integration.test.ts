import { cp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { type ServerType, serve } from "@hono/node-server";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createFilesystemInspectorDataSource,
  createFilesystemSessionStore,
  createInspectorRoute,
} from "../../src/advanced.js";
import { envelopeText } from "../contract/fixture.js";
import { appendSession, temporaryFolder } from "../support/data-directory.js";
import { sized } from "../support/soak.js";

const POLLERS = 4;
const POLLS = sized(40, 100);

const KEY = { tenantId: "acme", sessionId: "s1" };

/** Short enough for one batch, or long enough for several. */
function conversation(generation: number): { generation: number; content: string }[] {
  const messages = generation % 2 === 0 ? 3 : 30;
  return Array.from({ length: messages }, () => ({ generation, content: "x".repeat(20_000) }));
}

async function start(dataDir: string) {
  const source = createFilesystemInspectorDataSource(dataDir);
  const failures: unknown[] = [];
  const route = createInspectorRoute(source, { onError: (error) => failures.push(error) });
  const server = await new Promise<ServerType>((resolve) => {
    const started: ServerType = serve({ fetch: route.fetch, port: 0, hostname: "127.0.0.1" }, () =>
      resolve(started),
    );
  });
  onTestFinished(async () => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
    await source.close?.();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, failures };
}

/** Repeats the action until the pollers have enough answers. @returns the answers of each path, by status */
async function pollDuring(
  origin: string,
  paths: readonly string[],
  change: (round: number) => Promise<void>,
  onWhole: (body: Record<string, unknown>) => void = () => undefined,
): Promise<Map<number | "broken off", number>> {
  const answers = new Map<number | "broken off", number>();
  let polling = POLLERS;
  const poll = async (poller: number) => {
    for (let i = 0; i < POLLS; i++) {
      const response = await fetch(origin + paths[(poller + i) % paths.length]);
      const text = await response.text().catch(() => undefined);
      if (text !== undefined) {
        const body = JSON.parse(text) as Record<string, unknown>;
        if (response.status === 200) onWhole(body);
      }
      const answer = text === undefined ? "broken off" : response.status;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
    polling--;
  };
  const changing = async () => {
    for (let round = 1; polling > 0; round++) await change(round);
  };
  await Promise.all([changing(), ...Array.from({ length: POLLERS }, (_, poller) => poll(poller))]);
  return answers;
}

describe("A session that is polled", () => {
  it("while its conversation is compacted, is whole or not answered as if it were", async () => {
    const dataDir = await temporaryFolder();
    const store = createFilesystemSessionStore(dataDir);
    await store.openSession({ ...KEY, userId: "ada", createdAt: 0 });
    await store.appendMessages(KEY, conversation(0));
    const { origin, failures } = await start(dataDir);
    const answers = await pollDuring(
      origin,
      ["/sessions/s1/messages?tenantId=acme"],
      (round) => store.replaceMessages(KEY, conversation(round)),
      (body) => {
        const messages = body.messages as { generation: number }[];
        const generation = messages[0]?.generation ?? -1;
        expect(messages).toStrictEqual(conversation(generation));
      },
    );
    // A replacement after the first byte breaks the answer off; before it, the list is read again.
    expect([...answers.keys()].filter((answer) => ![200, 503, "broken off"].includes(answer))).toStrictEqual(
      [],
    );
    expect(answers.get(200)).toBeGreaterThan(0);
    expect(failures).toHaveLength(answers.get("broken off") ?? 0);
  });

  it("while it is deleted and comes back, is there or not", async () => {
    const dataDir = await temporaryFolder();
    const template = await temporaryFolder();
    const session = {
      ...KEY,
      userId: "ada",
      title: "Deleted",
      createdAt: 0,
      envelopes: Array.from({ length: 20 }, (_, n) => envelopeText(n, { type: "note" })),
      messages: conversation(0).map((message) => JSON.stringify(message)),
    };
    await appendSession(template, session);
    const tenants = path.join(dataDir, "tenants");
    const { origin, failures } = await start(dataDir);
    const answers = await pollDuring(
      origin,
      ["messages", "trace", "orchestration"].map((list) => `/sessions/s1/${list}?tenantId=acme`),
      async () => {
        await cp(path.join(template, "tenants"), tenants, { recursive: true });
        await rm(tenants, { recursive: true });
      },
    );
    expect([...answers.keys()].filter((answer) => ![200, 404, 503].includes(answer as number))).toStrictEqual(
      [],
    );
    expect(answers.get(404)).toBeGreaterThan(0);
    expect(failures).toStrictEqual([]);
  });
});
