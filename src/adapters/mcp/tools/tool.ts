import { InvalidRequestError } from "../../../application/errors.js";
import {
  integer,
  type Parameter,
  type ParameterSchema,
  text,
} from "../../../application/questions/parameter-kinds.js";
import { PARAMETERS } from "../../../application/questions/parameters.js";
import { MOST_RECORDS, type ToolAnswer } from "../answer/answer.js";
import type { Handles } from "./handles.js";
import { type Arguments, type ArgumentValues, optional, preset, required } from "./tool-input.js";

export interface McpCall {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Receives a failure that the answer only mentions. */
  readonly onFailure: (error: unknown) => void;
  readonly handles: Handles;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Any other argument is rejected before the call. */
  readonly input: Arguments;
  readonly execute: (input: unknown, call: McpCall) => Promise<ToolAnswer>;
}

/**
 * `execute` takes the output of its schema, and answers with parts of `answer.ts`. Numbers, instants and own words (`` own`…` ``) may be
 * outside of a fence; a name from a history is `name(kind, text)`. Every other text is a `string`, which is displayed only if `texts` of
 * the answer is set.
 * @example
 * async execute({ session, texts }, { handles, signal }) {
 *   const named = await handles.sessionNamed(session, "session", signal);
 *   const { revision, value } = changed(await useCase.execute(named.key, { signal }));
 *   const { of, changes } = handles.seen(named, revision);
 *   return { of, texts, parts: [...changes, fields(own`edit`, { at: value.sequence, tool: name("tool", value.tool), text: value.text })] };
 * }
 */
export function tool<const Input extends Arguments>(
  description: Omit<Tool, "input" | "execute"> & {
    readonly input: Input;
    readonly execute: (input: ArgumentValues<Input>, call: McpCall) => Promise<ToolAnswer>;
  },
): Tool {
  return {
    ...description,
    execute: (input, call) => description.execute(input as ArgumentValues<Input>, call),
  };
}

export const SESSION = required(text({ min: 1, max: 1_010 }), "s-… or tenant/id");

/** Without it, an answer has only figures and names. */
export const TEXTS = optional(flag(), "");

export const FILTER = optional(PARAMETERS.filter, "as in list_sessions");

export const PAGE = {
  limit: preset(integer(1, MOST_RECORDS), 20, ""),
  cursor: optional(PARAMETERS.cursor, ""),
};

export const AT: Parameter<string> = {
  schema: { type: "string" },
  problemOf(value) {
    const isNumber = Number.isSafeInteger(value) && (value as number) >= 0;
    const isText = typeof value === "string" && /^(?:\d{1,15}|e-[0-9a-f]{8})$/.test(value);
    return isNumber || isText
      ? undefined
      : "must be the number of a step (at), or its name, such as e-12ab34cd.";
  },
};

export const FROM: Parameter<number> = integer(0, Number.MAX_SAFE_INTEGER);

export const JSON_FROM = optional(FROM, "one full item as JSON: 0, then nextJsonFrom");

function flag(): Parameter<boolean> {
  const schema: ParameterSchema = { type: "boolean" };
  return {
    schema,
    problemOf: (value) => (typeof value === "boolean" ? undefined : "must be true or false."),
  };
}

/** @throws InvalidRequestError if two of the arguments are present */
export function onlyOne(input: Readonly<Record<string, unknown>>): void {
  const [first, second] = Object.keys(input).filter((name) => input[name] !== undefined);
  if (second === undefined) return;
  throw new InvalidRequestError(second, `cannot be combined with ${first}. Omit one of them.`);
}
