import { execFile, spawn } from "node:child_process";
import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import type { InspectorSessionItem } from "../../src/index.js";
import { PROJECT_ROOT } from "../support/build.js";
import { FRAMEWORK_RUNS } from "../support/framework-runs.js";
import { summaryOf } from "../support/framework-scenario.js";
import { anthropicMessage, modelVendor, openAiResponse, outputText } from "../support/model-vendor.js";
import { expectRecorded, FRAMEWORKS, recordedIn } from "../support/recorded-frameworks.js";
import { folderWith, snippetIn } from "../support/snippets.js";
import { sized } from "../support/soak.js";

const DOCUMENT = await readFile(path.join(PROJECT_ROOT, "docs/frameworks.md"), "utf8");
const MAIN = path.join(PROJECT_ROOT, "dist/src/composition/main.js");
const SPANS = path.join(PROJECT_ROOT, "test/otlp/fixtures/python-sdk.jsonl");

/** The others are tried before a release. */
const DAILY = ["ai-sdk-7"] as const;

const run = (folder: string, script: string, more: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
    env: { ...process.env, ...more },
  });

/** The snippets of bare SDKs, with what their vendors answer. */
const BARE_SDKS = {
  "bare-anthropic.mjs": [
    { json: anthropicMessage([{ type: "tool_use", id: "call-1", name: "clock", input: {} }], "tool_use") },
    { json: anthropicMessage([{ type: "text", text: "It is noon." }]) },
  ],
  "bare-openai.mjs": [
    { json: openAiResponse([{ type: "function_call", call_id: "call-1", name: "clock", arguments: "{}" }]) },
    { json: openAiResponse([outputText("It is noon.")]) },
  ],
} as const;

const TOOLS = `
  export const tools = [];
  export const callTool = ({ id, call_id }) =>
    call_id === undefined
      ? { type: "tool_result", tool_use_id: id, content: "12:00" }
      : { type: "function_call_output", call_id, output: "12:00" };`;

/** Runs a script with the package's command, on ports that are free; what it has printed when `awaited` is in it. */
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

describe("docs/frameworks.md", () => {
  it.for(DAILY)("records the turns, calls, tokens, agents and errors of a real agent: %s", (name, { skip }) =>
    expectRecorded(name, skip),
  );

  it("has the loop around a bare SDK recorded, in at most ten lines", async () => {
    const names = Object.keys(BARE_SDKS);
    const [anthropic, openai] = await Promise.all(Object.values(BARE_SDKS).map(modelVendor));
    const folder = await folderWith(DOCUMENT, ["@anthropic-ai/sdk", "openai"], names);
    await writeFile(path.join(folder, "tools.mjs"), TOOLS);
    const script = `
      for (const name of ${JSON.stringify(names)}) {
        const { answer, sessions } = await import("./" + name);
        await answer(name, [{ role: "user", content: "What time is it?" }]);
        await sessions.flush();
      }`;
    await run(folder, script, {
      ANTHROPIC_BASE_URL: anthropic!.url,
      ANTHROPIC_API_KEY: "none",
      OPENAI_BASE_URL: openai!.url,
      OPENAI_API_KEY: "none",
    });
    const source = recordedIn(folder);
    expect(
      (await source.listSessions()).map(({ sessionId, turns, tokens }) => [sessionId, turns, tokens]),
    ).toEqual([
      ["bare-openai.mjs", 1, 2 * 115],
      ["bare-anthropic.mjs", 1, 2 * 119],
    ]);
    for (const name of names) {
      const events = (await source.loadTraceEnvelopes("default", name)).map(({ event }) => event);
      expect(events.find(({ type }) => type === "tool.end")).toMatchObject({
        toolName: "clock",
        output: "12:00",
      });
      const lines = snippetIn(DOCUMENT, name).split("\n");
      expect(lines.filter((line) => /record|session|agent-inspector/i.test(line)).length).toBeLessThanOrEqual(
        10,
      );
    }
  });

  it("has an adapter of one's own recorded", async () => {
    const folder = await folderWith(DOCUMENT, [], ["recorder.mjs", "own-adapter.mjs"]);
    await run(folder, 'await import("./own-adapter.mjs")');
    expect(await summaryOf(recordedIn(folder), "default", "s1")).toMatchObject({
      session: { title: "Hello" },
      turns: 1,
      modelCalls: 1,
      tokens: { inputTokens: 9, outputTokens: 2 },
      conversation: ["user", "assistant"],
    });
  });

  it("collects what the environment variables make an agent send, and shows it", async () => {
    const folder = await folderWith(DOCUMENT, [], []);
    const options = "--port 0 --ui-port 0";
    const printed = await printedBy(folder, snippetIn(DOCUMENT, "collect.sh"), options, /Keeping them in/);
    const endpoint = /OTEL_EXPORTER_OTLP_ENDPOINT=(\S+)/.exec(printed)?.[1] ?? "";
    const environment = snippetIn(DOCUMENT, "environment.sh").replace("http://127.0.0.1:4318", endpoint);
    const agent = path.join(PROJECT_ROOT, "test/support/agents/exporting.ts");
    const script = `set -a\n${environment}\nexec "${process.execPath}" --import tsx "${agent}"`;
    await promisify(execFile)("sh", ["-ec", script], { cwd: PROJECT_ROOT });
    const page = /Showing them: (\S+)/.exec(printed)?.[1];
    await expect
      .poll(() => listedAt(page), { timeout: 20_000 })
      .toMatchObject([{ tenantId: "acme", sessionId: "s1", title: "What is in the notes?", turns: 2 }]);
  });

  it("mounts the receiver behind a guard", async () => {
    const folder = await folderWith(DOCUMENT, ["hono"], ["receiver.mjs"]);
    const guard = `export const guard = async (c, next) => {
      c.set("tenantId", "acme");
      return c.req.header("authorization") ? next() : c.body(null, 401);
    };`;
    await writeFile(path.join(folder, "guard.mjs"), guard);
    const script = `
      import { readFile } from "node:fs/promises";
      import { app, receiver } from "./receiver.mjs";
      const [body] = (await readFile(${JSON.stringify(SPANS)}, "utf8")).split("\\n");
      for (const headers of [{}, { authorization: "yes" }]) {
        const answer = await app.request("/v1/traces", { method: "POST", body, headers: { ...headers, "content-type": "application/json" } });
        console.log(answer.status);
      }
      await receiver.close();`;
    expect((await run(folder, script)).stdout).toBe("401\n200\n");
    const { stdout } = await promisify(execFile)("ls", [path.join(folder, "spans")]);
    expect(stdout).toMatch(/^spans-.*\.jsonl\n$/);
  });

  it("binds senders of spans to tenants", async () => {
    const folder = await folderWith(DOCUMENT, ["hono"], ["tenants.mjs"]);
    const script = `
      import { readFile } from "node:fs/promises";
      import { createOtlpDataSource } from "agent-inspector/otlp";
      import { receiver } from "./tenants.mjs";
      const body = (await readFile(${JSON.stringify(SPANS)}, "utf8")).split("\\n")[0].replaceAll('"acme"', '"evil"');
      for (const authorization of ["Bearer key-of-evil", "Bearer key-of-acme"]) {
        const answer = await receiver.app.request("/v1/traces", { method: "POST", body, headers: { authorization, "content-type": "application/json" } });
        console.log(answer.status);
      }
      await receiver.close();
      const source = createOtlpDataSource({ directory: "./spans" });
      console.log(...(await source.listSessions()).map(({ tenantId }) => tenantId));
      await source.close();`;
    expect((await run(folder, script)).stdout).toBe("401\n200\nacme\n");
  });

  it("shows files of spans, in a folder and alone, by the command and in an application", async () => {
    const folder = await folderWith(DOCUMENT, ["hono"], ["otlp-files.mjs"]);
    await cp(SPANS, path.join(folder, "traces/dump.json"));
    const script = `
      import { app } from "./otlp-files.mjs";
      console.log(JSON.stringify((await (await app.request("/__inspector/sessions")).json()).sessions));
      process.exit();`;
    const listed = JSON.parse((await run(folder, script)).stdout) as InspectorSessionItem[];
    expect(listed.length).toBeGreaterThan(0);
    const commands = snippetIn(DOCUMENT, "otlp-files.sh").trim().split("\n");
    expect(commands).toHaveLength(2);
    // Each day the folder; a process takes a second to begin.
    for (const command of commands.slice(0, sized(1, 2))) {
      const printed = await printedBy(folder, command, "--port 0 --no-open", /http:\S+/);
      const shown = await listedAt(/http:\S+/.exec(printed)?.[0]);
      expect(shown.map(({ title }) => title)).toEqual(listed.map(({ title }) => title));
    }
  });

  it("has no code that is not tried here", () => {
    const blocks = [...DOCUMENT.matchAll(/(?:<!-- snippet: (\S+) -->\n)?```\w+\n/g)].map(([, name]) => name);
    const tried = new Set([
      ...Object.keys(BARE_SDKS),
      ...["recorder.mjs", "own-adapter.mjs", "receiver.mjs", "tenants.mjs", "otlp-files.mjs"],
      ...["collect.sh", "environment.sh", "otlp-files.sh"],
      ...FRAMEWORKS.flatMap((name) => FRAMEWORK_RUNS[name].snippets),
    ]);
    expect(blocks.toSorted()).toEqual([...tried].toSorted());
  });
});
