import { z } from "zod";
import { idProblem } from "../../domain/session/ids.js";
import { type Answer, MOST_RECORDS } from "./answers.js";

/** A tool, without the protocol around it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What it takes: anything else is refused before it is called. */
  readonly input: z.ZodObject;
  /** @param signal aborted when nobody waits for the answer any more */
  readonly execute: (input: unknown, signal: AbortSignal) => Promise<Answer>;
}

/** A tool whose `execute` takes what its schema gives. */
export function tool<Input extends z.ZodObject>(
  description: Omit<Tool, "input" | "execute"> & {
    readonly input: Input;
    readonly execute: (input: z.infer<Input>, signal: AbortSignal) => Promise<Answer>;
  },
): Tool {
  return { ...description, execute: (input, signal) => description.execute(input as z.infer<Input>, signal) };
}

const id = z.string().superRefine((text, context) => {
  const problem = idProblem(text);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

/** Which session is meant. */
export const SESSION = {
  sessionId: id.describe("As list_sessions or search gives it."),
  tenantId: id.default("default").describe("The tenant of the session, as given with its sessionId."),
};

/** Which sessions are meant. */
export const OWNER = {
  tenantId: id
    .optional()
    .describe('Only sessions of this tenant. Default is all; with sessionId it is "default".'),
  sessionId: id.optional().describe("Only this session."),
};

/** @returns the tenant that is meant, as everywhere: a session that is named without one is of the default tenant */
export function ownerOf({
  tenantId,
  sessionId,
}: {
  tenantId?: string | undefined;
  sessionId?: string | undefined;
}) {
  return { sessionId, tenantId: tenantId ?? (sessionId === undefined ? undefined : "default") };
}

/** How many records, and where they begin. */
export const PAGE = {
  limit: z
    .int()
    .min(1)
    .max(MOST_RECORDS)
    .default(20)
    .describe("How many records at most. Fewer are cut less: 1 shows the most of one."),
  cursor: z
    .string()
    .optional()
    .describe("nextCursor of the answer before, with the same arguments. null there means the end."),
};

export const JSON_FROM = z
  .int()
  .min(0)
  .optional()
  .describe(
    "Answers with the JSON text of one record alone, from this character on: begin with 0, go on with nextJsonFrom. " +
      "It takes the place of limit.",
  );
