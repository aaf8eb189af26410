import { textField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import type { TranscriptFormat } from "../../transcripts/format.js";
import { readingSteps, tasksOf } from "../../transcripts/reading-tasks.js";
import { hasText, Interpreter } from "./interpret.js";
import { discover, locate, MESSAGES, recognises, tenants } from "./layout.js";
import { outputOf, textsOf, toolCallsOf } from "./record.js";
import { renderEvent, withoutContent } from "./render.js";

/** The histories of Gemini CLI. `docs/gemini-cli.md` describes what each record becomes. */
export const geminiCliFormat: TranscriptFormat = {
  name: "gemini-cli",
  recognises,
  tenants,
  discover,
  locate,
  interpreter: (recorder) => new Interpreter(recorder),
  nestedIn: [[MESSAGES], ["$set", MESSAGES]],
  hasText,
  recordId: (record) => textField(record, "id"),
  render: renderEvent,
  withoutContent,
  messageMember: "message",
  instantMember: "timestamp",
  resultOf: (record, block) => {
    const call = toolCallsOf(record)[block] ?? {};
    const output = outputOf(call);
    const text = typeof output === "string" ? output : (jsonTextOf(output) ?? "");
    return { text };
  },
  textOf: (record) => textsOf(record.content).join("\n"),
};

/** What a thread is asked about a folder of Gemini CLI. Threads find them here. */
export const steps = readingSteps(geminiCliFormat);

export const GEMINI_CLI_TASKS = tasksOf(import.meta.url, steps);
