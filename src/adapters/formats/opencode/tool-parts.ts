import { outputOf } from "../../../domain/conversation/opencode-messages.js";
import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { textBetween } from "../../../domain/text/between.js";
import * as parts from "../../transcripts/recorder/parts.js";
import * as opencode from "./message.js";

export interface RewindPart extends parts.Part {
  readonly is: "rewind";
  readonly messageId: string;
  /** True if only later parts of the message were taken back. */
  readonly retainsMessage: boolean;
}

export type OpenCodePart = (parts.CommonPart | RewindPart) & {
  readonly times?: opencode.Times;
};

export function toolParts(
  part: JsonObject,
  block: number,
  toolCallId: string,
  session: string | undefined,
  isStopped: boolean,
): readonly OpenCodePart[] {
  const state = objectField(part, "state");
  const metadata = objectField(state, "metadata");
  const toolName = textField(part, "tool") ?? "unknown";
  const input = objectField(state, "input");
  const times = opencode.timesOf(part);
  const parentId = textField(metadata, "parentSessionId");
  // A fork's copy of the call names the sub-agent of another session.
  const isOwn = parentId === undefined || session === undefined || parentId === session;
  const agentId = toolName === "task" && isOwn ? textField(metadata, "sessionId") : undefined;
  const begin: OpenCodePart = {
    is: "call",
    block,
    toolCallId,
    toolName,
    times,
    event() {
      const { state: _, callID: __, tool: ___, ...rest } = part;
      return { ...rest, type: "tool.start", toolCallId, toolName, input: state.input, title: state.title };
    },
    spawn: () =>
      toolName === "task"
        ? {
            role: textField(input, "subagent_type"),
            description: textField(input, "description"),
            prompt: textField(input, "prompt"),
          }
        : undefined,
  };
  const outcome = opencode.outcomeOf(part, isStopped);
  if (outcome === undefined) return [begin];
  const output = outputOf(state);
  const text = () => (typeof output === "string" ? output : (jsonTextOf(output) ?? ""));
  const ended: OpenCodePart = {
    is: "result",
    block,
    toolCallId,
    times,
    event: () => ({
      type: "tool.end",
      toolCallId,
      toolName,
      output,
      ...parts.failureOf(outcome),
      metadata: isJsonObject(state.metadata) ? state.metadata : undefined,
      attachments: state.attachments,
    }),
    end: () => ({ outcome, agentId, isLaunch: false }),
    result: () => ({ text: toolName === "task" ? taskResult(text()) : text() }),
  };
  return [begin, ended];
}

function taskResult(text: string): string {
  return textBetween(text, "<task_result>", "</task_result>")?.replace(/^\n|\n$/g, "") ?? text;
}
