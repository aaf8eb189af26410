import { describe, expect, it } from "vitest";
import { ALLOWED, HOST_PACKAGES, type HostName, startHost } from "../support/hosts.js";
import { requestRaw } from "../support/real-server.js";
import { folderWith } from "../support/snippets.js";
import { spellingsOf } from "../support/spellings.js";

const LISTENER = `
  import { getRequestListener } from "@hono/node-server";
  import { createAgentApp } from "agent-inspector";
  import { createInMemoryInspectorDataSource, createInspectorRoute } from "agent-inspector/advanced";
  const source = createInMemoryInspectorDataSource([{ sessionId: "s1", title: "A title" }]);
  const agent = createAgentApp({ inspector: source });
  agent.route("/below/__inspector", createInspectorRoute(source));
  const listener = getRequestListener(agent.fetch);
  const withoutEnvironment = getRequestListener((request) => agent.fetch(request));`;

const MOUNTS = ["/__inspector", "/below/__inspector"];

const GUARDED: readonly (readonly [HostName, (mount: string) => string, string])[] = [
  ["express-4", guardOfExpress, "app.use(listener);"],
  ["express-5", guardOfExpress, "app.use(withoutEnvironment);"],
  [
    "koa",
    (mount) =>
      `app.use((c, next) => (c.path.startsWith("${mount}") && !isAllowed(c) ? c.throw(403) : next()));`,
    "app.use((c) => { c.respond = false; return listener(c.req, c.res); });",
  ],
];

function guardOfExpress(mount: string): string {
  return `app.use("${mount}", (q, r, next) => (isAllowed(q) ? next() : r.status(403).end()));`;
}

describe("A guard that stands before the API in the host's own router", () => {
  it.each(GUARDED)("is passed by no spelling of the mount: %s", async (name, guardOf, mounted) => {
    const folder = await folderWith("", HOST_PACKAGES, []);
    const port = await startHost(folder, name, [...MOUNTS.map(guardOf), LISTENER, mounted]);
    for (const path of MOUNTS.map((mount) => `${mount}/sessions`)) {
      const [plain, refused] = [
        await requestRaw(port, path, { headers: [ALLOWED] }),
        await requestRaw(port, path),
      ];
      expect([plain.status, refused.status]).toEqual([200, 403]);
      expect(plain.body).toContain("A title");
      const asked = spellingsOf(path).flatMap((target) => [
        { target, headers: [] },
        { target, headers: [ALLOWED] },
      ]);
      const answers = await Promise.all(
        asked.map(async ({ target, headers }) => ({
          target,
          ...(await requestRaw(port, target, { headers })),
        })),
      );
      expect(answers.filter(({ body }) => body.includes("A title"))).toEqual([]);
      expect(answers.filter(({ status }) => ![400, 403, 404].includes(status))).toEqual([]);
    }
  });
});
