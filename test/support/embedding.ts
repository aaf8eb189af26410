import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import path from "node:path";
import { expect } from "vitest";
import type { InspectorSessionItem } from "../../src/index.js";
import { PROJECT_ROOT } from "./build.js";
import { ALLOWED } from "./hosts.js";
import { requestRaw, serveListener } from "./real-server.js";
import { linkPackages, snippetIn, writeSnippets } from "./snippets.js";
import { sized } from "./soak.js";
import { spellingsOf } from "./spellings.js";

const DOCUMENT = await readFile(path.join(PROJECT_ROOT, "docs/embedding.md"), "utf8");

export const recipe = (name: string): string => snippetIn(DOCUMENT, name);

export interface Mounted {
  readonly port: number;
  /** Without a slash at its end. */
  readonly path: string;
  /** `agent-inspector/edge`: the API is beside the page, its sessions have a source, and it exports no files. */
  readonly isEdge?: boolean;
}

const apiOf = ({ path: page, isEdge }: Mounted) => `${page}/${isEdge ? "__inspector" : "api"}`;

/** Refuses whoever does not send `ALLOWED`: tests append it to the document's `histories.mjs`. */
export const MEMBERS = `export const members = (c) =>
  c.req.header("cookie") === "token=let-me-in" ? { tenants: "all" } : c.text("Who are you?", 401);\n`;

/** Also writes `histories.mjs` with a history, and `chat.mjs`. */
export async function prepareEmbedding(
  folder: string,
  packages: readonly string[],
  ...names: readonly string[]
): Promise<void> {
  await linkPackages(folder, packages);
  await writeSnippets(folder, DOCUMENT, names);
  // A host in the process of the tests has another working directory.
  const inFolder = (name: string) =>
    recipe(name).replace('"./data"', JSON.stringify(path.join(folder, "data")));
  await writeFile(path.join(folder, "histories.mjs"), inFolder("histories.mjs") + MEMBERS);
  await writeFile(path.join(folder, "chat.mjs"), inFolder("chat.mjs"));
  await writeHistory(folder);
}

export async function writeHistory(folder: string): Promise<void> {
  const session = path.join(folder, "data/tenants/acme/sessions/s1");
  await mkdir(session, { recursive: true });
  await writeFile(path.join(session, "session.jsonl"), '{"type":"init","createdAt":1,"title":"A title"}\n');
}

const [ALLOWED_NAME = "", ALLOWED_VALUE = ""] = ALLOWED.split(": ");
const ALLOWED_HEADERS = { [ALLOWED_NAME]: ALLOWED_VALUE, "Accept-Encoding": "gzip, deflate, br" };

const ASSETS = path.join(PROJECT_ROOT, "dist/ui/assets");

export async function expectRecords(mounted: Mounted): Promise<void> {
  const base = `http://127.0.0.1:${mounted.port}`;
  const chat = await fetch(`${base}/chat`, { method: "POST" });
  const { sessionId } = (await chat.json()) as { readonly sessionId: string };
  const ask = async (target: string) =>
    (await fetch(`${base}${apiOf(mounted)}/${target}`, { headers: ALLOWED_HEADERS })).json();
  const { sessions } = (await ask("sessions")) as { readonly sessions: readonly InspectorSessionItem[] };
  const session = sessions.find((listed) => listed.sessionId === sessionId);
  expect(await ask(`sessions/${sessionId}/trace?tenantId=${session?.tenantId}`)).toMatchObject({
    envelopes: [{ event: { type: "text", text: "your agent goes here" } }],
  });
}

/** Prefixes of the application itself, and of a proxy that strips it. */
export async function expectPrefixed(prefixed: Mounted, open: Mounted): Promise<void> {
  const base = `http://127.0.0.1:${prefixed.port}`;
  await expectEmbedded(base, prefixed);
  const above = path.posix.join(path.dirname(prefixed.path), "api/sessions");
  for (const elsewhere of [above, `${prefixed.path}/inspect/`, "/inspector"]) {
    const answer = await fetch(base + elsewhere, { headers: ALLOWED_HEADERS });
    expect([elsewhere, await answer.text()]).not.toEqual([
      elsewhere,
      expect.stringMatching(/A title|inspector-api/),
    ]);
  }
  await expectEmbedded(`http://127.0.0.1:${await stripsPrefix(open.port)}/tools`, open);
}

/** @param base the address of the application */
export async function expectEmbedded(base: string, { path: page, isEdge }: Omit<Mounted, "port">) {
  const answer = await fetch(base + (page || "/"), { headers: ALLOWED_HEADERS });
  expect([answer.status, answer.redirected, answer.headers.get("content-type"), answer.url]).toEqual([
    200,
    page !== "",
    expect.stringContaining("text/html"),
    `${base}${page}/`,
  ]);
  const html = await answer.text();
  const ask = async (relative: string, init: RequestInit = {}) =>
    fetch(new URL(relative, answer.url), { ...init, headers: { ...ALLOWED_HEADERS, ...init.headers } });
  const api = /<meta name="inspector-api" content="([^"]*)"/.exec(html)?.[1] ?? "";
  expect(api).toMatch(/^\.\//);
  const list = await ask(`${api}/sessions`);
  expect(list.headers.get("content-type")).toContain("application/json");
  const tenantId = isEdge ? "stored:acme" : "acme";
  expect(await list.json()).toMatchObject({
    sessions: expect.arrayContaining([expect.objectContaining({ tenantId, title: "A title" })]),
  });
  const missing = await ask(`${api}/sessions/s1/trace?tenantId=globex`);
  expect([missing.status, await missing.json()]).toMatchObject([404, { title: "Not Found" }]);
  const files = [...html.matchAll(/(?:src|href)="(?!data:)([^"]*)"/g)].map(([, file = ""]) => file);
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) {
    expect(file).toMatch(/^\.\/assets\//);
    expect([file, await digestOf(await ask(file))]).toEqual([file, await digestOfAsset(file)]);
  }
  for (const nothing of ["nothing", "assets/nothing.js", "api/nothing"]) {
    expect([nothing, (await ask(nothing)).status]).toEqual([nothing, 404]);
  }
  const head = await ask(`${api}/sessions`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  // The worker's source has no revision, and so no entity tag.
  if (isEdge) return;
  const trace = `${api}/sessions/s1/trace?tenantId=${tenantId}`;
  const etag = (await ask(trace)).headers.get("etag") ?? "";
  const unchanged = await ask(trace, { headers: { "If-None-Match": etag } });
  expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);
}

/** Files of the page, each day every 20th, and of an exported session have the same bytes for every `Accept-Encoding`. */
export async function expectSameBytes(mounted: Mounted): Promise<void> {
  const base = `http://127.0.0.1:${mounted.port}`;
  const ask = async (target: string, init: RequestInit = {}) =>
    fetch(base + target, { ...init, headers: { ...ALLOWED_HEADERS, ...init.headers } });
  const names = readdirSync(ASSETS).filter((name) => !name.endsWith(".gz"));
  const expectAsset = async (name: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await ask(`${mounted.path}/assets/${name}`, { headers });
    expect([name, headers, await digestOf(answer)]).toEqual([name, headers, await digestOfAsset(name)]);
  };
  await Promise.all(names.filter((_, i) => i % sized(20, 1) === 0).map((name) => expectAsset(name)));
  const script = names.find((name) => name.endsWith(".js")) ?? "";
  for (const encoding of ["identity", "gzip", "gzip;q=0", "GZIP", "br", "*"]) {
    await expectAsset(script, { "Accept-Encoding": encoding });
  }
  const head = await ask(`${mounted.path}/assets/${script}`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  const ranged = await ask(`${mounted.path}/assets/${script}`, { headers: { Range: "bytes=0-9" } });
  const all = await readFile(path.join(ASSETS, script));
  expect(await digestOf(ranged)).toBe(digest(ranged.status === 206 ? all.subarray(0, 10) : all));
  if (mounted.isEdge) return;
  const exported = async (encoding: string) => {
    const target = `${apiOf(mounted)}/sessions/s1/export?tenantId=acme&format=jsonl`;
    const answer = await ask(target, { headers: { "Accept-Encoding": encoding } });
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment;/);
    return (await answer.text()).split("\n").length;
  };
  expect(await exported("gzip, deflate, br")).toBe(await exported("identity"));
}

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function digestOf(answer: Response): Promise<string> {
  return digest(new Uint8Array(await answer.arrayBuffer()));
}

async function digestOfAsset(name: string): Promise<string> {
  return digest(await readFile(path.join(ASSETS, path.basename(name))));
}

/** Strips `/tools`. @returns the port */
function stripsPrefix(port: number): Promise<number> {
  return serveListener((incoming, outgoing) => {
    const target = (incoming.url ?? "").replace(/^\/tools(?=\/)/, "");
    const { host: _, ...headers } = incoming.headers;
    // Without a shared connection: one that the host closes meanwhile would fail the next request.
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
 * Without permission, no spelling of the path gives anything.
 * @param options `resolves`: the host resolves a target first, so permitted callers may use such spellings. `page`: the status of the
 *   page without permission
 */
export async function expectGuarded(
  mounted: Mounted,
  { resolves, page: pageStatus }: { readonly resolves: boolean; readonly page: 200 | 401 },
): Promise<void> {
  const { port, path: page } = mounted;
  const target = `${apiOf(mounted)}/sessions`;
  const allowed = await requestRaw(port, target, { headers: [ALLOWED] });
  expect([allowed.status, allowed.body]).toEqual([200, expect.stringContaining("A title")]);
  for (const [refused, status] of [
    [target, 401],
    [`${target}/s1/trace?tenantId=acme`, 401],
    [`${apiOf(mounted)}/health`, 401],
    [`${page}/`, pageStatus],
  ] as const) {
    expect([refused, (await requestRaw(port, refused)).status]).toEqual([refused, status]);
  }
  const requests = spellingsOf(target).flatMap((spelling) =>
    resolves ? [[spelling]] : [[spelling], [spelling, ALLOWED]],
  );
  const answers = await Promise.all(
    requests.map(async ([spelling = "", ...headers]) => {
      return [spelling, (await requestRaw(port, spelling, { headers })).body] as const;
    }),
  );
  const through = answers.filter(([, body]) => /A title|"sessions"/.test(body)).map(([spelling]) => spelling);
  expect(through).toEqual([]);
}
