import { InvalidRequestError } from "../../application/errors.js";
import { integer, type Parameter } from "../../application/questions/parameter-kinds.js";
import { PARAMETERS } from "../../application/questions/parameters.js";
import type { Window } from "../../application/questions/window.js";
import { FILTER_FIELDS } from "../../domain/filter/session-filter.js";
import { MOST_RECORDS, type ToolAnswer } from "./answers.js";
import { type Arguments, type ArgumentValues, optional, preset, required } from "./tool-input.js";

export interface McpCall {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Told of a failure that the answer only mentions. */
  readonly onFailure: (error: unknown) => void;
}

/** A tool, without the protocol around it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What it takes: anything else is refused before it is called. */
  readonly input: Arguments;
  readonly execute: (input: unknown, call: McpCall) => Promise<ToolAnswer>;
}

/** A tool whose `execute` takes what its schema gives. */
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

/** Which session is meant. */
export const SESSION = {
  sessionId: required(PARAMETERS.sessionId, "As list_sessions or search gives it."),
  tenantId: preset(PARAMETERS.tenantId, "default", "The tenant of the session, as given with its sessionId."),
};

/** Which sessions are meant. */
export const OWNER = {
  tenantId: optional(
    PARAMETERS.tenantId,
    'Only sessions of this tenant. Default is all; with sessionId it is "default".',
  ),
  sessionId: optional(PARAMETERS.sessionId, "Only this session."),
};

export const FILTER = optional(
  PARAMETERS.filter,
  "Only sessions that it means, such as: tenant:acme tool:search error cost:>1 after:yesterday. Terms are joined by and; OR, - (not) and ( ) too. " +
    `Fields: ${Object.keys(FILTER_FIELDS).join(", ")}.`,
);

/** How many records, and where they begin. */
export const PAGE = {
  limit: preset(
    integer(1, MOST_RECORDS),
    20,
    "How many records at most. Fewer are cut less: 1 shows the most of one.",
  ),
  cursor: optional(
    PARAMETERS.cursor,
    "nextCursor of the answer before, with the same arguments. null there means the end.",
  ),
};

/** Where a list begins that has numbers; in the place of a cursor. */
export const FROM: Parameter<number> = integer(0, Number.MAX_SAFE_INTEGER);

export const JSON_FROM = optional(
  integer(0, Number.MAX_SAFE_INTEGER),
  "Answers with the JSON text of one record alone, from this character on: begin with 0, go on with nextJsonFrom. " +
    "It takes the place of limit.",
);

/** @throws InvalidRequestError where both places of a beginning are given */
export function windowOf({ limit, cursor, from }: Window, jsonFrom: number | undefined): Window {
  if (cursor !== undefined && from !== undefined) {
    throw new InvalidRequestError("from", "cannot be given together with cursor.");
  }
  return { limit: jsonFrom === undefined ? limit : 1, cursor, from };
}
