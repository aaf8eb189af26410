/**
 * Runs the agents of `docs/frameworks.md` with the real packages and takes the document's pictures, or some of them: `npm run -s build &&
 * node --import tsx ui/test/framework-screenshots.ts [NAME…]`.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import type { InspectorDataSource } from "../../src/index.js";
import { createOtlpDataSource } from "../../src/otlp.js";
import { createOtlpReceiver } from "../../src/otlp-receiver.js";
import { PROJECT_ROOT } from "../../test/support/build.js";
import { runFramework } from "../../test/support/framework-runs.js";
import { page } from "./browser/browser.js";
import { settled, wholeTrace } from "./browser/page.js";
import { serverOf } from "./fixtures/serve-app.js";

interface Picture {
  readonly row: RegExp;
  /** `folder` is empty. @returns the source of the agent's session */
  readonly run: (folder: string) => Promise<InspectorDataSource>;
}

const PICTURES: Readonly<Record<string, Picture>> = {
  "ai-sdk-7": { row: /→ read_note/, run: recordedBy("ai-sdk-7") },
  "openai-agents": { row: /^(?!.*→).*delete_note/, run: recordedBy("openai-agents") },
  langgraph: { row: /^(?!.*→).*read_note/, run: recordedBy("langgraph") },
  mastra: { row: /^(?!.*→).*delegate/, run: recordedBy("mastra") },
  "ai-sdk-6": { row: /One note/, run: recordedBy("ai-sdk-6") },
  collect: { row: /model-1.*The provider/, run: collected },
};

function recordedBy(name: Parameters<typeof runFramework>[0]): Picture["run"] {
  return async (folder) => {
    const reason = await runFramework(name, folder);
    if (reason !== undefined) throw new Error(reason);
    return createFilesystemInspectorDataSource(path.join(folder, "data"), { threads: false });
  };
}

async function collected(directory: string): Promise<InspectorDataSource> {
  const receiver = createOtlpReceiver({ directory, threads: false });
  const spans = await readFile(path.join(PROJECT_ROOT, "test/otlp/fixtures/python-sdk.jsonl"), "utf8");
  for (const body of spans.trimEnd().split("\n")) {
    const headers = { "Content-Type": "application/json" };
    const answer = await receiver.app.request("/v1/traces", { method: "POST", headers, body });
    if (answer.status !== 200) throw new Error(await answer.text());
  }
  await receiver.close();
  return createOtlpDataSource({ directory, threads: false });
}

async function take(name: string, { row, run }: Picture): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "pictures-"));
  const source = await run(folder);
  const server = serverOf(() => source);
  await server.start();
  await server.open("#/s/acme/s1/trace", { width: 1152, height: 690 });
  await wholeTrace().waitFor();
  await page.getByRole("row", { name: row }).first().click();
  await settled();
  await page.screenshot({ path: path.join(PROJECT_ROOT, `docs/images/${name}.png`) });
  await server.stop();
  await source.close?.();
  await rm(folder, { recursive: true, force: true });
}

const asked = process.argv.slice(2);
for (const [name, picture] of Object.entries(PICTURES)) {
  if (asked.length === 0 || asked.includes(name)) await take(name, picture);
}
await page.context().browser()?.close();
