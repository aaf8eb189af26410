import { mkdir, readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import path from "node:path";
import { expect } from "vitest";
import { PROJECT_ROOT } from "./build.js";
import { ALLOWED } from "./hosts.js";
import { requestRaw, serveListener } from "./real-server.js";
import { linkPackages, snippetIn, writeSnippets } from "./snippets.js";
import { spellingsOf } from "./spellings.js";

const DOCUMENT = await readFile(path.join(PROJECT_ROOT, "docs/embedding.md"), "utf8");

/** A snippet of docs/embedding.md. */
export const recipe = (name: string): string => snippetIn(DOCUMENT, name);

/** Puts these packages, `histories.mjs` with a history that it shows, and these snippets into a folder. */
export async function prepareEmbedding(
  folder: string,
  packages: readonly string[],
  ...names: readonly string[]
): Promise<void> {
  await linkPackages(folder, packages);
  await writeSnippets(folder, DOCUMENT, names);
  // A host that is started in the process of the tests has another working directory.
  const data = JSON.stringify(path.join(folder, "data"));
  await writeFile(path.join(folder, "histories.mjs"), recipe("histories.mjs").replace('"./data"', data));
  await writeHistory(folder);
}

export async function writeHistory(folder: string): Promise<void> {
  const session = path.join(folder, "data/tenants/acme/sessions/s1");
  await mkdir(session, { recursive: true });
  await writeFile(path.join(session, "session.jsonl"), '{"type":"init","createdAt":1,"title":"A title"}\n');
}

/** The page at that address, and what it asks for by addresses that are relative to its own: whatever the host is made of. */
export async function expectEmbedded(address: string, init: RequestInit = {}): Promise<void> {
  const page = await fetch(address, init);
  expect([page.status, page.redirected, page.headers.get("content-type")]).toEqual([
    200,
    true,
    expect.stringContaining("text/html"),
  ]);
  expect(page.url).toBe(`${address}/`);
  const html = await page.text();
  const ask = async (relative: string) => fetch(new URL(relative, page.url), init);
  const api = /<meta name="inspector-api" content="([^"]*)"/.exec(html)?.[1] ?? "";
  expect(api).toMatch(/^\.\//);
  const list = await ask(`${api}/sessions`);
  expect(list.headers.get("content-type")).toContain("application/json");
  expect(await list.json()).toMatchObject({ sessions: [{ tenantId: "acme", title: "A title" }] });
  const unknown = await ask(`${api}/sessions/s1/trace?tenantId=globex`);
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { title: "Not Found" }]);
  const files = [...html.matchAll(/(?:src|href)="(?!data:)([^"]*)"/g)].map(([, file = ""]) => file);
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) {
    const asset = await ask(file);
    expect([file, asset.status]).toEqual([expect.stringMatching(/^\.\/assets\//), 200]);
    expect((await asset.arrayBuffer()).byteLength).toBeGreaterThan(10);
  }
  const head = await fetch(new URL(`${api}/sessions`, page.url), { ...init, method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  for (const nothing of ["nothing", "assets/nothing.js", "api/nothing"]) {
    expect([nothing, (await ask(nothing)).status]).toEqual([nothing, 404]);
  }
}

/** A reverse proxy that cuts `/tools` off; its port. */
export function stripsPrefix(port: number): Promise<number> {
  return serveListener((incoming, outgoing) => {
    const target = (incoming.url ?? "").replace(/^\/tools(?=\/)/, "");
    const { host: _, ...headers } = incoming.headers;
    // A connection of its own: one that the host closes meanwhile would fail the next request.
    const options = { host: "127.0.0.1", port, path: target, method: incoming.method, headers, agent: false };
    request(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    })
      .on("error", (error) => outgoing.writeHead(502).end(String(error)))
      .end();
  });
}

/**
 * Nobody is let in but who is allowed to, and nobody by another spelling.
 *
 * @param resolves whether the host resolves a target before anybody sees it: then those who are allowed to may spell it so
 */
export async function expectGuarded(port: number, { resolves = false } = {}): Promise<void> {
  const target = "/inspect/api/sessions";
  const [plain, refused, page] = [
    await requestRaw(port, target, { headers: [ALLOWED] }),
    await requestRaw(port, target),
    await requestRaw(port, "/inspect/"),
  ];
  expect([plain.status, refused.status, page.status]).toEqual([200, 401, 401]);
  expect(plain.body).toContain("A title");
  const asked = spellingsOf(target).flatMap((spelling) =>
    resolves ? [[spelling]] : [[spelling], [spelling, ALLOWED]],
  );
  const answers = await Promise.all(
    asked.map(async ([spelling = "", ...headers]) => {
      return [spelling, (await requestRaw(port, spelling, { headers })).body] as const;
    }),
  );
  const through = answers.filter(([, body]) => /A title|"sessions"/.test(body)).map(([spelling]) => spelling);
  expect(through).toEqual([]);
}
