import { GROUPINGS, STACKINGS } from "../../domain/overview/overview.js";
import { CONTENT_KINDS, parseSearchQuery } from "../../domain/search/search-query.js";
import { idProblem } from "../../domain/session/ids.js";
import { SESSION_STATUSES } from "../../domain/session/session.js";
import { EXPORT_FORMATS } from "../export/export-formats.js";
import { MAX_LIMIT } from "../listing/window.js";
import type { EndpointId } from "./endpoints.js";
import { integer, oneOf, type Parameter, someOf, text, texts } from "./parameter-kinds.js";
import type { ParameterName, ParameterValues } from "./parameter-values.js";

const id: Parameter<string> = {
  schema: { type: "string" },
  problemOf(value) {
    if (typeof value !== "string") return value === undefined ? "must not be empty." : "must be a text.";
    const problem = idProblem(value);
    return problem === undefined ? undefined : `${problem}.`;
  },
};

const anyText = text();

const A_PART = "must be errors, turn:NUMBER, agent:ID or step:ID.";

const part: Parameter<ParameterValues["only"]> = text({
  min: 1,
  max: 1_000,
  must: A_PART,
  problemOf: (typed) => (/^(?:errors|turn:\d+|(?:agent|step):.+)$/s.test(typed) ? undefined : A_PART),
}) as Parameter<ParameterValues["only"]>;

const SOURCES_ONLY = oneOf(["due"]);

export const PARAMETERS = {
  sessionId: id,
  tenantId: id,
  otherSessionId: id,
  otherTenantId: id,
  agentId: text({ min: 1 }),
  userId: anyText,
  status: oneOf(SESSION_STATUSES),
  source: anyText,
  q: anyText,
  in: someOf(CONTENT_KINDS),
  call: text({ min: 1, must: "must be the id of an envelope of the trace." }),
  message: integer(0, 999_999_999, "must be the `index` of a message that the call saw."),
  item: integer(0, 999_999_999),
  file: text({ min: 1, max: 1_000 }),
  text: text({ min: 1, max: 4_000 }),
  before: text({ max: 2_000 }),
  after: text({ max: 2_000 }),
  line: integer(1, 999_999_999),
  toLine: integer(1, 999_999_999),
  row: integer(0, 999_999_999),
  limit: integer(1, MAX_LIMIT),
  cursor: anyText,
  since: anyText,
  only: part,
  format: oneOf(EXPORT_FORMATS),
  redact: oneOf(["strict", "none"]),
  keep: texts({ min: 1, max: 100 }),
  revision: text({ min: 1, max: 200 }),
  filter: text({ max: 2_000 }),
  zone: text({ min: 1, max: 100 }),
  from: text({ min: 1, max: 40 }),
  to: text({ min: 1, max: 40 }),
  by: oneOf(GROUPINGS),
  stack: oneOf(STACKINGS),
  model: text({ min: 1, max: 256 }),
  provider: text({ min: 1, max: 256 }),
  at: text({ min: 1, max: 40 }),
  contextTokens: integer(0, Number.MAX_SAFE_INTEGER),
} satisfies { readonly [Name in ParameterName]: Parameter<ParameterValues[Name]> };

const MOST_OF_SEARCH = 1_000;
const A_SEARCH = `must be what to look for, with 1 to ${MOST_OF_SEARCH} characters.`;

export const SEARCH_TEXT = text({
  min: 1,
  max: MOST_OF_SEARCH,
  must: A_SEARCH,
  problemOf: (typed) => (parseSearchQuery(typed) === undefined ? A_SEARCH : undefined),
});

export function parameterOf(endpoint: EndpointId, name: ParameterName): Parameter {
  if (endpoint === "listSources" && name === "only") return SOURCES_ONLY;
  const isSearch = endpoint === "searchRecords" || endpoint === "searchSessions";
  return isSearch && name === "q" ? SEARCH_TEXT : PARAMETERS[name];
}

/** Returns `NaN` for a text that is not a number with as many digits as a value may have. */
export function valueOfText({ schema }: Parameter, text: string): unknown {
  if (schema.type === "array") return text.split(",");
  if (schema.type !== "integer") return text;
  return /^\d+$/.test(text) && text.length <= String(schema.maximum).length ? Number(text) : Number.NaN;
}
