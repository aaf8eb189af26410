import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import * as parts from "../../transcripts/parts.js";
import * as claude from "./record.js";

type BlockPart = parts.CallPart | parts.ResultPart | parts.TextPart | parts.PlainPart;

/** A block of an answer. */
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

/** A block of what tools gave. */
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
  const given = objectField(record, "toolUseResult");
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
      groupId: textField(given, "runId"),
      ...launchIn(given, block),
    }),
    persistedAs: () => baseNameIn(textField(given, "persistedOutputPath")),
    result() {
      const { totalDurationMs, totalTokens, totalToolUseCount } = given;
      return {
        text: parts.textIn(block.content),
        details: { totalDurationMs, totalTokens, totalToolUseCount },
      };
    },
  };
}

const LAUNCHED = "Async agent launched successfully";

/** Returns the agent that a result names, and if the agent continues. In the files of sub-agents, only the text may state this. */
function launchIn(given: JsonObject, block: JsonObject): Pick<parts.ToolEnd, "agentId" | "isLaunch"> {
  const agentId = textField(given, "agentId");
  if (given.status === "async_launched" || given.isAsync === true) return { agentId, isLaunch: true };
  const text = agentId === undefined ? claude.firstText(claude.blocksOf(block)) : undefined;
  if (!text?.startsWith(LAUNCHED)) return { agentId, isLaunch: false };
  return { agentId: /\nagentId: ([\w-]+)/.exec(text)?.[1], isLaunch: true };
}

/** The last name of a path of the machine that wrote it, whichever system that has. */
function baseNameIn(path: string | undefined): string | undefined {
  const name = path?.split(/[\\/]/).at(-1);
  return name === "" || name === "." || name === ".." ? undefined : name;
}

/** @param author of a text, where that is not the model */
function blockPart(block: unknown, at: number, author: JsonObject): BlockPart {
  const kind = claude.blockType(block);
  const type = kind === "text" || kind === "thinking" ? kind : `claude-code.${kind}`;
  const event = () =>
    isJsonObject(block) ? { ...block, type, ...(kind === "text" ? author : {}) } : { type, value: block };
  if (kind !== "text") return { is: "block", block: at, event };
  return { is: "text", block: at, text: claude.firstText([block]), event };
}

/** The id of a tool call; one that was stored without is named by its record or line, so that its beginning has one nevertheless. */
export function toolCallIdOf(id: unknown, recordId: string | undefined, block: number, line: number): string {
  return typeof id === "string" && id !== "" ? id : `${recordId ?? `line ${line}`}#${block}`;
}
