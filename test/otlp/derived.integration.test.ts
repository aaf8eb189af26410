import path from "node:path";
import type { WorkflowTraceEventEnvelope } from "../../src/index.js";
import { createOtlpDataSource } from "../../src/otlp.js";
import { describeDerivedSource } from "../contract/describe-derived-source.js";
import { inventedFolder } from "../support/invented/histories.js";
import { inTurn } from "../support/shared-histories.js";
import { DATA, realFiles, realFolders } from "./support/otlp-files.js";

/** Spans of traces without an agent or a call in that file make no session. The last file's agents are in another file. */
const WITHOUT_SESSION: Readonly<Record<string, number>> = {
  "run_arm_b.json": 1,
  "run_arm_c.json": 1,
  "crewai-tools.jsonl": 2,
};

describeDerivedSource(
  "OtlpDataSource",
  (directory) => createOtlpDataSource({ directory, threads: false }),
  [
    { name: "invented", folder: inventedFolder("otlp") },
    ...(await realFolders(inTurn(realFiles(), (file) => path.join(DATA, file)))),
  ],
  {
    isHistory: (file) => /\.jsonl?$/.test(file),
    countRecords: (file, text) => {
      const ids = text.matchAll(/"(?:spanId|span_id)":\s*"([^"]+)"/g);
      return new Set([...ids].map(([, id]) => id)).size - (WITHOUT_SESSION[file] ?? 0);
    },
    recordsOf: spansOf,
  },
);

/** The span of an envelope: for a run, the id of its trace or its agent. */
function spansOf({ traceId, event }: WorkflowTraceEventEnvelope): string[] {
  const { type, agentId, callId, spanId, toolCallId } = event;
  const own = { "turn.start": agentId ?? traceId, "llm.start": callId, span: spanId }[type];
  const id = type === "tool.start" ? (spanId ?? toolCallId) : own;
  return typeof id === "string" ? [id] : [];
}
