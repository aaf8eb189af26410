import { type JsonObject, textField } from "../../domain/json.js";
import type { TranscriptFormat } from "../transcripts/format.js";
import { hasText, interpret } from "./interpret.js";
import { discover, locate, recognises, tenants } from "./layout.js";
import { outputOf, textsOf, toolCallsOf } from "./record.js";
import { renderEvent, withoutContent } from "./render.js";
import { MESSAGES } from "./session-head.js";

/** The histories of Gemini CLI. `docs/gemini-cli.md` describes what each record becomes. */
export const geminiCliFormat: TranscriptFormat = {
  name: "gemini-cli",
  recognises,
  tenants,
  discover,
  locate,
  *relatives() {
    yield;
    return [];
  },
  *lineage() {
    yield;
    return { name: "", isReplay: () => false };
  },
  interpret,
  nestedIn: [[MESSAGES], ["$set", MESSAGES]],
  hasText,
  innerRecord: (record) => record,
  recordId: (record) => textField(record, "id"),
  render: renderEvent,
  withoutContent,
  messageMember: undefined,
  instantMember: "timestamp",
  resultOf: (record, block) => {
    const call = toolCallsOf(record)[block] ?? {};
    return { text: textOf(outputOf(call)), isRefusal: call.status === "cancelled", details: {} };
  },
  textOf: (record: JsonObject) => textsOf(record.content).join("\n"),
  readNote: () => undefined,
  knownAgent: () => undefined,
  titleOf,
};

function textOf(output: unknown): string {
  return typeof output === "string" ? output : (JSON.stringify(output) ?? "");
}

/** How much of a prompt serves as a title. */
const TITLE_LENGTH = 100;

function titleOf(prompt: string): string | undefined {
  const line = prompt.replace(/\s+/g, " ").trim();
  if (line === "") return undefined;
  return line.length <= TITLE_LENGTH ? line : `${line.slice(0, TITLE_LENGTH - 1).trimEnd()}…`;
}
