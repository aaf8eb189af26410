import { z } from "zod";
import { CONTENT_KINDS, parseSearchQuery } from "../../domain/search/search-query.js";
import { idProblem } from "../../domain/session/ids.js";
import type { SessionStatus } from "../../domain/session/session.js";
import type { EndpointId, ParameterName, ParameterValues } from "./endpoints.js";
import { MAX_LIMIT } from "./window.js";

const STATUSES = ["idle", "running", "error"] as const satisfies readonly SessionStatus[];

/** What a value that is missing, or of another type, must be: a message goes on from the parameter's name. */
function must(missing: string, other?: string) {
  return { error: ({ input }: { readonly input?: unknown }) => (input === undefined ? missing : other) };
}

const id = z.string(must("must not be empty.")).superRefine((text, context) => {
  const problem = idProblem(text);
  if (problem !== undefined) context.addIssue({ code: "custom", message: `${problem}.` });
});

function integer(min: number, max: number, missing?: string) {
  const problem = `must be an integer from ${min} to ${max}.`;
  return z
    .int(must(missing ?? problem, problem))
    .min(min, problem)
    .max(max, problem);
}

const A_CALL = "must be the id of an envelope of the trace.";
const SOME_KINDS = `must be some of ${CONTENT_KINDS.join(", ")}, with commas between them.`;

/** The schema of each parameter. What it says of a wrong value goes on from the parameter's name. */
export const PARAMETERS = {
  sessionId: id,
  tenantId: id,
  otherSessionId: id,
  otherTenantId: id,
  agentId: z.string().min(1, "must not be empty."),
  userId: z.string(),
  status: z.enum(STATUSES, `must be one of ${STATUSES.join(", ")}.`),
  source: z.string(),
  q: z.string(),
  in: z.array(z.enum(CONTENT_KINDS, SOME_KINDS)).min(1, SOME_KINDS),
  call: z.string(must(A_CALL)).min(1, A_CALL),
  message: integer(0, 999_999_999, "must be the `index` of a message that the call saw."),
  item: integer(0, 999_999_999),
  limit: integer(1, MAX_LIMIT),
  cursor: z.string(),
  since: z.string(),
} satisfies { readonly [Name in ParameterName]: z.ZodType<ParameterValues[Name]> };

const MOST_OF_SEARCH = 1_000;
const A_SEARCH = `must be what to look for, with 1 to ${MOST_OF_SEARCH} characters.`;

/** `q` of a search, which cannot look for nothing. */
export const SEARCH_TEXT = z
  .string(must(A_SEARCH))
  .min(1, A_SEARCH)
  .max(MOST_OF_SEARCH, A_SEARCH)
  .refine((text) => parseSearchQuery(text) !== undefined, A_SEARCH);

/** The schema of a parameter where an endpoint takes it. */
export function schemaOf(endpoint: EndpointId, name: ParameterName): z.ZodType {
  return endpoint === "searchRecords" && name === "q" ? SEARCH_TEXT : PARAMETERS[name];
}

/** A value as its schema takes it, from the text of a query; `NaN` for a text that is no number of digits that a value may have. */
export function valueOfText(schema: z.ZodType, text: string): unknown {
  if (schema instanceof z.ZodArray) return text.split(",");
  if (!(schema instanceof z.ZodNumber)) return text;
  return /^\d+$/.test(text) && text.length <= String(schema.maxValue).length ? Number(text) : Number.NaN;
}
