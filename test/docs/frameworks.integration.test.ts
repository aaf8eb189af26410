import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";
import { FRAMEWORK_RUNS } from "../support/framework-runs.js";
import { summaryOf } from "../support/framework-scenario.js";
import { anthropicMessage, modelVendor, openAiResponse, outputText } from "../support/model-vendor.js";
import { expectRecorded, FRAMEWORKS, recordedIn } from "../support/recorded-frameworks.js";
import { folderWith, snippetIn } from "../support/snippets.js";

const DOCUMENT = await readFile(path.join(PROJECT_ROOT, "docs/frameworks.md"), "utf8");
const SPANS = path.join(PROJECT_ROOT, "test/otlp/fixtures/python-sdk.jsonl");

/** The others run before a release. */
const DAILY = ["ai-sdk-7"] as const;

const run = (folder: string, script: string, more: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
    env: { ...process.env, ...more },
  });

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
  export const conversation = async (sessionId, content) => [{ role: "user", content }];
  export const callTool = ({ id, call_id }) =>
    call_id === undefined
      ? { type: "tool_result", tool_use_id: id, content: "12:00" }
      : { type: "function_call_output", call_id, output: "12:00" };`;

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
        await answer(name, "What time is it?");
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

  it("has no code that is not tried here, or by the soak beside this", () => {
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
