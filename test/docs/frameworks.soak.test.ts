import { execFile, spawn } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import type { InspectorSessionItem } from "../../src/index.js";
import { PROJECT_ROOT } from "../support/build.js";
import { folderWith, snippetIn } from "../support/snippets.js";

const DOCUMENT = await readFile(path.join(PROJECT_ROOT, "docs/frameworks.md"), "utf8");
const MAIN = path.join(PROJECT_ROOT, "dist/src/composition/main.js");
const SPANS = path.join(PROJECT_ROOT, "test/otlp/fixtures/python-sdk.jsonl");

const inNode = (script: string, options: { readonly cwd: string }) =>
  promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], options);

/** Uses the package's command and free ports; resolves with the output once it matches `awaited`. */
async function printedBy(folder: string, script: string, options: string, awaited: RegExp): Promise<string> {
  const npx = `npx() { shift; exec "${process.execPath}" "${MAIN}" "$@" ${options}; }\n`;
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: path.join(folder, ".data"), TMPDIR: folder };
  const child = spawn("sh", ["-ec", npx + script], { cwd: folder, env });
  onTestFinished(() => void child.kill());
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (printed += text));
  await expect.poll(() => printed, { timeout: 30_000 }).toMatch(awaited);
  return printed;
}

async function listedAt(address: string | undefined): Promise<readonly InspectorSessionItem[]> {
  const answer = await fetch(`${address}__inspector/sessions`);
  return ((await answer.json()) as { sessions: readonly InspectorSessionItem[] }).sessions;
}

describe("docs/frameworks.md, by the command", () => {
  it("collects what the environment variables make an agent send, and shows it", async () => {
    const folder = await folderWith(DOCUMENT, [], []);
    const options = "--port 0 --ui-port 0";
    const printed = await printedBy(folder, snippetIn(DOCUMENT, "collect.sh"), options, /Storing spans in/);
    const endpoint = /OTEL_EXPORTER_OTLP_ENDPOINT=(\S+)/.exec(printed)?.[1] ?? "";
    const environment = snippetIn(DOCUMENT, "environment.sh").replace("http://127.0.0.1:4318", endpoint);
    const agent = path.join(PROJECT_ROOT, "test/support/agents/exporting.ts");
    const script = `set -a\n${environment}\nexec "${process.execPath}" --import tsx "${agent}"`;
    await promisify(execFile)("sh", ["-ec", script], { cwd: PROJECT_ROOT });
    const page = /Page: (\S+)/.exec(printed)?.[1];
    await expect
      .poll(() => listedAt(page), { timeout: 20_000 })
      .toMatchObject([{ tenantId: "acme", sessionId: "s1", title: "What is in the notes?", turns: 2 }]);
  });

  it("shows files of spans, in a folder and alone, by the command and in an application", async () => {
    const folder = await folderWith(DOCUMENT, ["hono"], ["otlp-files.mjs"]);
    await cp(SPANS, path.join(folder, "traces/dump.json"));
    const script = `
      import { app } from "./otlp-files.mjs";
      console.log(JSON.stringify((await (await app.request("/__inspector/sessions")).json()).sessions));
      process.exit();`;
    const listed = JSON.parse((await inNode(script, { cwd: folder })).stdout) as InspectorSessionItem[];
    expect(listed.length).toBeGreaterThan(0);
    const commands = snippetIn(DOCUMENT, "otlp-files.sh").trim().split("\n");
    expect(commands).toHaveLength(2);
    for (const command of commands) {
      const printed = await printedBy(folder, command, "--port 0 --no-open", /http:\S+/);
      const shown = await listedAt(/http:\S+/.exec(printed)?.[0]);
      expect(shown.map(({ title }) => title)).toEqual(listed.map(({ title }) => title));
    }
  });
});
