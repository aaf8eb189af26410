import { z } from "zod";
import { InvalidRequestError } from "../../application/errors.js";
import { PARAMETERS } from "../../application/questions/parameters.js";
import type { Window } from "../../application/questions/window.js";
import { MOST_RECORDS, type ToolAnswer } from "./answers.js";

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
  readonly input: z.ZodObject;
  readonly execute: (input: unknown, call: McpCall) => Promise<ToolAnswer>;
}

/** A tool whose `execute` takes what its schema gives. */
export function tool<Input extends z.ZodObject>(
  description: Omit<Tool, "input" | "execute"> & {
    readonly input: Input;
    readonly execute: (input: z.infer<Input>, call: McpCall) => Promise<ToolAnswer>;
  },
): Tool {
  return { ...description, execute: (input, call) => description.execute(input as z.infer<Input>, call) };
}

/** Which session is meant. */
export const SESSION = {
  sessionId: PARAMETERS.sessionId.describe("As list_sessions or search gives it."),
  tenantId: PARAMETERS.tenantId
    .default("default")
    .describe("The tenant of the session, as given with its sessionId."),
};

/** Which sessions are meant. */
export const OWNER = {
  tenantId: PARAMETERS.tenantId
    .optional()
    .describe('Only sessions of this tenant. Default is all; with sessionId it is "default".'),
  sessionId: PARAMETERS.sessionId.optional().describe("Only this session."),
};

/** How many records, and where they begin. */
export const PAGE = {
  limit: PARAMETERS.limit
    .max(MOST_RECORDS, `must be at most ${MOST_RECORDS}.`)
    .default(20)
    .describe("How many records at most. Fewer are cut less: 1 shows the most of one."),
  cursor: PARAMETERS.cursor
    .optional()
    .describe("nextCursor of the answer before, with the same arguments. null there means the end."),
};

/** Where a list begins that has numbers; in the place of a cursor. */
export const FROM = z.int().min(0).optional();

export const JSON_FROM = z
  .int()
  .min(0)
  .optional()
  .describe(
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
