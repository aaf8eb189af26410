import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { inFile, samples } from "../../src/adapters/formats/inspect/layout.js";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { inventedFolder } from "../support/invented/histories.js";
import { sharedHistories } from "../support/shared-data.js";
import { inTurn } from "../support/shared-histories.js";
import * as logs from "./support/logs.js";

const { assistant, log, model, sample, span, tool, user } = logs;

const ASKED = user("How many?");
const agents = [
  span(1, "a", "agent", "lead"),
  model(1, [ASKED], assistant("", { tool_calls: [{ id: "t", function: "ask", arguments: {} }] }), {
    span_id: "a",
  }),
  tool(4, "t", "Three.", { function: "ask", agent_span_id: "b", span_id: "a" }),
  span(4, "t", "tool", "ask", "a"),
  span(4, "b", "agent", "helper", "t"),
  model(5, [user("Count.")], assistant("Three."), { span_id: "b" }),
  model(
    12,
    [ASKED, assistant("odd"), { role: "tool", content: "Three.", tool_call_id: "t" }],
    assistant("3"),
    {
      span_id: "a",
    },
  ),
  5,
  { event: "brand_new" },
];

const invented = mkdtempSync(path.join(tmpdir(), "inspect-derived-"));
afterAll(() => rmSync(invented, { recursive: true, force: true }));
const ofLog = [
  sample("agents", agents, { scores: { match: { value: "C" } } }),
  sample(
    "a/b c",
    [model(1, [ASKED, ASKED], assistant("3")), { event: "score", score: { value: 1 }, scorer: "m" }],
    {
      epoch: 2,
      error: { message: "failed" },
      error_retries: [{ message: "earlier" }],
    },
  ),
];
writeFileSync(path.join(invented, "one.eval"), log(ofLog));
writeFileSync(path.join(invented, "two.json"), JSON.stringify({ ...logs.about(), samples: ofLog }));

function linesOf(folder: string, name: string): number {
  const root = folder;
  const found = run(inFile(root, path.join(root, name))) ?? [];
  let count = 0;
  for (const { files } of found)
    run(
      samples.unpack(root, files[0].path, (bytes) => (count += bytes.filter((byte) => byte === 10).length)),
    );
  return count;
}

function run<T>(steps: Generator<void, T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

const folders = [
  { name: "odd ones", folder: invented },
  { name: "invented", folder: inventedFolder("inspect") },
  ...inTurn(sharedHistories("inspect"), ({ folder }) => folder),
];

for (const one of folders) {
  describeDerivedSource("Inspect", (folder) => logs.inspectSource(folder), [one], {
    isHistory: (file) => /\.(eval|json)$/.test(file),
    countRecords: (file) => linesOf(one.folder, file),
  });
}
