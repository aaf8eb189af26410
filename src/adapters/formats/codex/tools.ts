import { isJsonObject, type JsonObject, jsonIn, objectField, textField } from "../../../domain/json/json.js";
import {
  type CallPart,
  failureOf,
  type ResultPart,
  type SpawnNote,
  type ToolOutcome,
  textIn,
} from "../../transcripts/recorder/parts.js";
import type { TextSource } from "./recent-texts.js";
import type { Entry } from "./record.js";

/** Undo points are neither input nor output of the model. */
export function isMessage({ type, kind }: Entry): boolean {
  return type === "compacted" || (type === "response_item" && kind !== "ghost_snapshot");
}

export const CALL = /^(function|custom_tool|local_shell|tool_search|web_search|image_generation)_call$/;
export const RUN_BY_MODEL = /^(web_search|image_generation)_call$/;
export const OUTPUT = /^(function_call|custom_tool_call|tool_search)_output$/;

export const END_EVENT =
  /^((exec_command|patch_apply|mcp_tool_call|image_generation)_end|dynamic_tool_call_response)$/;

export function callPart(payload: JsonObject, line: number): CallPart {
  const toolCallId = callIdOf(payload, line);
  const toolName = toolNameOf(payload);
  const event = () => ({ type: "tool.start", toolCallId, toolName, input: inputOf(payload) });
  return {
    is: "call",
    toolCallId,
    toolName,
    input: () => inputOf(payload),
    event,
    spawn: () => spawnOf(payload),
  };
}

/** @param derived true if no separate record contains the result */
export function resultPart(
  payload: JsonObject,
  by: TextSource,
  line: number,
  derived?: true,
): ResultPart & { readonly by: TextSource } {
  const toolCallId = callIdOf(payload, line);
  return {
    is: "result",
    by,
    toolCallId,
    event() {
      const facts = { ...factsOf(payload), changes: payload.changes, ...failureOf(toolOutcome(payload)) };
      return { type: "tool.end", toolCallId, toolName: undefined, ...facts, derived };
    },
    end() {
      const agentId = by === "item" ? answeredAgent(payload) : undefined;
      return { outcome: toolOutcome(payload), agentId, isLaunch: true };
    },
    result: () => ({ text: textIn(factsOf(payload).output) }),
  };
}

function callIdOf(payload: JsonObject, line: number): string {
  return (
    textField(payload, "call_id") ??
    textField(payload, "callId") ??
    textField(payload, "id") ??
    `line ${line}`
  );
}

function toolNameOf(payload: JsonObject): string {
  const name = textField(payload, "name");
  const namespace = textField(payload, "namespace");
  if (name === undefined) return (textField(payload, "type") ?? "unknown").replace(/_call$/, "");
  return namespace?.startsWith("mcp__") ? namespace + name : name;
}

function inputOf(payload: JsonObject): unknown {
  const input = payload.arguments ?? payload.input ?? payload.action;
  if (typeof input !== "string" || payload.type === "custom_tool_call") return input;
  return jsonIn(input) ?? input;
}

function spawnOf(payload: JsonObject): SpawnNote | undefined {
  if (textField(payload, "name") !== "spawn_agent") return undefined;
  const input = objectField({ input: inputOf(payload) }, "input");
  return {
    role: textField(input, "agent_type"),
    description: textField(input, "task_name"),
    prompt: textField(input, "message") ?? textField(input, "prompt"),
  };
}

function answeredAgent(payload: JsonObject): string | undefined {
  const { output } = payload;
  if (typeof output !== "string" || !output.includes('"agent_id"')) return undefined;
  return textField(objectField({ answer: jsonIn(output) }, "answer"), "agent_id");
}

interface ResultFacts {
  readonly output: unknown;
  readonly exitCode: number | undefined;
  readonly durationMs: number | undefined;
}

const EXIT_CODE = /^(?:Exit code:|Process exited with code) (-?\d+)/m;
const WALL_TIME = /^Wall time:? ([\d.]+) seconds/m;
/** Ends the part that Codex writes: the text after it may contain anything. */
const PREAMBLE = /^Output:/m;

function factsOf(payload: JsonObject): ResultFacts {
  const { output, result, content_items, stdout, aggregated_output, duration, duration_ms } = payload;
  const { secs, nanos } = objectField({ duration }, "duration");
  const ms = typeof secs === "number" ? secs * 1_000 + (numberIn(nanos) ?? 0) / 1e6 : numberIn(duration_ms);
  if (output === undefined) {
    const output = aggregated_output ?? result ?? content_items ?? stdout;
    return { output: output, exitCode: numberIn(payload.exit_code), durationMs: ms };
  }
  const text = textIn(output);
  const wrapped = text.startsWith('{"output":') ? objectField({ answer: jsonIn(text) }, "answer") : {};
  const { exit_code, duration_seconds } = objectField(wrapped, "metadata");
  const preamble = text.slice(0, PREAMBLE.exec(text)?.index ?? 0);
  const seconds = numberIn(duration_seconds) ?? numberIn(WALL_TIME.exec(preamble)?.[1]);
  return {
    output: wrapped.output ?? output,
    exitCode: numberIn(exit_code) ?? numberIn(EXIT_CODE.exec(preamble)?.[1]),
    durationMs: seconds === undefined ? undefined : seconds * 1_000,
  };
}

function numberIn(value: unknown): number | undefined {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

const FAILURE = /^(failed in sandbox|apply_patch verification failed|aborted by user|exec_command failed)/;
const REFUSAL = /^(?:exec command |patch )?rejected by user\s*$/;

function toolOutcome(payload: JsonObject): ToolOutcome {
  if (payload.status === "declined" || REFUSAL.test(textIn(factsOf(payload).output))) return "refused";
  return hasFailed(payload) ? "failed" : "completed";
}

function hasFailed(payload: JsonObject): boolean {
  const { exitCode, output } = factsOf(payload);
  if (exitCode !== undefined && exitCode !== 0) return true;
  const result = objectField(payload, "result");
  if (payload.success === false || payload.status === "failed") return true;
  if (result.Err !== undefined || objectField(result, "Ok").isError === true) return true;
  if (result.isError === true || isJsonObject(payload.error)) return true;
  return FAILURE.test(textIn(output));
}
