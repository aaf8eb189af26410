import { isJsonObject, jsonIn, objectField, textField } from "../../../domain/json/json.js";
import type { TranscriptFormat } from "../../transcripts/format.js";
import { readingSteps, tasksOf } from "../../transcripts/reading-tasks.js";
import type { AgentNote } from "../../transcripts/transcript-files.js";
import { hasText, interpreter } from "./interpret.js";
import { discover, locate, recognises, tenants } from "./layout.js";
import { lineage, relatives } from "./lineage.js";
import { agentProgress, blocksOf, messageOf } from "./record.js";
import { renderEvent, withoutContent } from "./render.js";

/** The histories of Claude Code. `docs/claude-code.md` describes what each record becomes. */
export const claudeCodeFormat: TranscriptFormat = {
  name: "claude-code",
  recognises,
  tenants,
  discover,
  locate,
  relatives,
  lineage,
  interpreter,
  hasText,
  innerRecord: (record) => agentProgress(record)?.inner ?? record,
  recordId: (record) => textField(record, "uuid"),
  render: renderEvent,
  withoutContent,
  messageMember: "message",
  instantMember: "timestamp",
  resultOf: (record, block) => {
    const result = blocksOf(messageOf(record) ?? {})[block];
    const text = isJsonObject(result) ? textsOf(result.content) : "";
    const { totalDurationMs, totalTokens, totalToolUseCount } = objectField(record, "toolUseResult");
    const details = { totalDurationMs, totalTokens, totalToolUseCount };
    return { text, details };
  },
  textOf: (record) => textsOf(blocksOf(messageOf(record) ?? {})),
  readNote,
  knownAgent: (agentId) =>
    agentId.startsWith("acompact") ? { role: "compaction", description: "Compaction" } : undefined,
  askedIn,
};

/** The texts of a content, which may be one text or blocks. */
function textsOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block) => (isJsonObject(block) && typeof block.text === "string" ? [block.text] : []))
    .join("\n");
}

/** The content of `agent-<id>.meta.json`. One that is no JSON is ignored: other records link agents too. */
function readNote(text: string): AgentNote | undefined {
  const note = jsonIn(text);
  if (!isJsonObject(note)) return undefined;
  return {
    role: textField(note, "agentType"),
    description: textField(note, "description"),
    toolCallId: textField(note, "toolUseId"),
  };
}

const COMMAND = /<command-name>\s*(.*?)\s*<\/command-name>/s;
const COMMAND_ARGUMENTS = /<command-args>\s*(.*?)\s*(<\/command-args>|$)/s;

function askedIn(prompt: string): string {
  const [command, given] = [COMMAND, COMMAND_ARGUMENTS].map((part) => part.exec(prompt)?.[1] ?? "");
  return command === "" ? prompt : `${command} ${given}`;
}

/** What a thread is asked about a projects folder of Claude Code. Threads find them here. */
export const steps = readingSteps(claudeCodeFormat);

export const CLAUDE_CODE_TASKS = tasksOf(import.meta.url, steps);
