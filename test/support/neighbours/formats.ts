import { createHash } from "node:crypto";
import { createFilesystemInspectorDataSource } from "../../../src/advanced.js";
import { createOtlpDataSource } from "../../../src/otlp.js";
import { agent, call, requestFrom, span, tool } from "../../otlp/support/spans.js";
import { type FileFormat, GOOD, TEXT, texts } from "./file-format.js";
import { COPY, type Lines } from "./plant.js";
import { recordedSession } from "./recorded.js";
import { CLAUDE_CODE, CODEX, GEMINI_CLI } from "./transcript-formats.js";

const DATA_DIRECTORY: FileFormat = {
  name: "a data directory",
  session(tenantId, sessionId, text) {
    const folder = `tenants/${tenantId}/sessions/${sessionId}`;
    return prefixed(folder, recordedSession(tenantId, sessionId, text));
  },
  good: { tenantId: "shop", sessionId: GOOD, text: TEXT },
  open: (folder) => createFilesystemInspectorDataSource(folder, { threads: false }),
  isNamedByPath: true,
};

/** The end of a trace's id is a copy's number. */
function traceIdOf(sessionId: string): string {
  return createHash("md5").update(sessionId).digest("hex").slice(0, -8);
}

const OTLP: FileFormat = {
  name: "files of OTLP",
  session(tenantId, sessionId, text) {
    const says = (role: string, said: string) =>
      JSON.stringify([{ role, parts: [{ type: "text", content: said }] }]);
    const spans = [
      agent({ from: 0, to: 9, attributes: { "input.value": `Where is the ${text}?`, "user.id": "ada" } }),
      call({
        id: 2,
        from: 1,
        to: 2,
        attributes: {
          "gen_ai.input.messages": says("user", `Where is the ${text}?`),
          "gen_ai.output.messages": says("assistant", "I look."),
        },
      }),
      tool({
        id: 3,
        from: 3,
        to: 4,
        error: `no such ${text}`,
        attributes: {
          "gen_ai.tool.call.id": "t",
          "gen_ai.tool.call.arguments": JSON.stringify({ path: `${text}.ts` }),
          "gen_ai.tool.call.result": text,
        },
      }),
      span({ id: 4, parent: 1, from: 5, to: 6, attributes: { "input.value": text } }),
    ];
    const traceId = traceIdOf(sessionId) + COPY;
    const session = { key: "gen_ai.conversation.id", value: { stringValue: sessionId } };
    const all = spans.map((one) =>
      requestFrom(
        { "service.name": tenantId },
        { ...one, traceId, attributes: [...one.attributes, session] },
      ),
    );
    return { [`${traceIdOf(tenantId + sessionId)}.jsonl`]: texts(all) };
  },
  good: { tenantId: "shop", sessionId: GOOD, text: TEXT },
  open: (directory) =>
    createOtlpDataSource({ directory, threads: false, now: () => Date.UTC(2026, 0, 1, 1) }),
  isNamedByPath: false,
};

export const FILE_FORMATS: readonly FileFormat[] = [DATA_DIRECTORY, CLAUDE_CODE, CODEX, GEMINI_CLI, OTLP];

function prefixed(folder: string, lines: Lines): Lines {
  return Object.fromEntries(Object.entries(lines).map(([file, records]) => [`${folder}/${file}`, records]));
}
