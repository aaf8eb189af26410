import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import * as parts from "../../transcripts/recorder/parts.js";
import * as claude from "./record.js";

type BlockPart = parts.CallPart | parts.ResultPart | parts.TextPart | parts.PlainPart;

export function callPart(block: unknown, at: number, line: number, id: string | undefined): BlockPart {
  if (claude.blockType(block) !== "tool_use" || !isJsonObject(block)) return blockPart(block, at, {});
  const toolCallId = toolCallIdOf(block.id, id, at, line);
  const toolName = textField(block, "name") ?? "unknown";
  return {
    is: "call",
    block: at,
    toolCallId,
    toolName,
    input: () => block.input,
    event() {
      const { type: _, id: __, name, input, ...rest } = block;
      return { ...rest, type: "tool.start", toolCallId, toolName: name ?? "unknown", input };
    },
    spawn: () => (claude.spawnsAgent(toolName) ? claude.spawnIn(objectField(block, "input")) : undefined),
  };
}

export function resultPart(
  block: unknown,
  at: number,
  record: JsonObject,
  line: number,
  id: string | undefined,
): BlockPart {
  if (claude.blockType(block) !== "tool_result" || !isJsonObject(block))
    return blockPart(block, at, { role: "user" });
  const toolCallId = toolCallIdOf(block.tool_use_id ?? record.sourceToolUseID, id, at, line);
  const toolResult = objectField(record, "toolUseResult");
  return {
    is: "result",
    block: at,
    toolCallId,
    event() {
      const { type: _, tool_use_id: __, content: output, is_error: ___, ...rest } = block;
      const ended = parts.failureOf(claude.resultOutcome(block));
      return { ...rest, type: "tool.end", toolCallId, toolName: undefined, output, ...ended };
    },
    end: () => ({
      outcome: claude.resultOutcome(block),
      groupId: textField(toolResult, "runId"),
      ...launchIn(toolResult, block),
    }),
    persistedAs: () => baseNameIn(textField(toolResult, "persistedOutputPath")),
    result() {
      const { totalDurationMs, totalTokens, totalToolUseCount } = toolResult;
      return {
        text: parts.textIn(block.content),
        details: { totalDurationMs, totalTokens, totalToolUseCount },
      };
    },
  };
}

const LAUNCHED = "Async agent launched successfully";

/** Only the text may name the agent in files of sub-agents. */
function launchIn(toolResult: JsonObject, block: JsonObject): Pick<parts.ToolEnd, "agentId" | "isLaunch"> {
  const agentId = textField(toolResult, "agentId");
  if (toolResult.status === "async_launched" || toolResult.isAsync === true)
    return { agentId, isLaunch: true };
  const text = agentId === undefined ? claude.firstText(claude.blocksOf(block)) : undefined;
  if (!text?.startsWith(LAUNCHED)) return { agentId, isLaunch: false };
  return { agentId: /\nagentId: ([\w-]+)/.exec(text)?.[1], isLaunch: true };
}

/** The path may come from any operating system. */
function baseNameIn(path: string | undefined): string | undefined {
  const name = path?.split(/[\\/]/).at(-1);
  return name === "" || name === "." || name === ".." ? undefined : name;
}

/** @param author of a text; empty for the model */
export function blockPart(block: unknown, at: number, author: JsonObject): BlockPart {
  const kind = claude.blockType(block);
  const type = kind === "text" || kind === "thinking" ? kind : `claude-code.${kind}`;
  const event = () =>
    isJsonObject(block) ? { ...block, type, ...(kind === "text" ? author : {}) } : { type, value: block };
  if (kind !== "text") return { is: "block", block: at, event };
  return { is: "text", block: at, text: claude.firstText([block]), event };
}

/** A call without an id gets one from its record or line, so that it has a beginning. */
export function toolCallIdOf(id: unknown, recordId: string | undefined, block: number, line: number): string {
  return typeof id === "string" && id !== "" ? id : `${recordId ?? `line ${line}`}#${block}`;
}
