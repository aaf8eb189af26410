import type { TextField } from "../../domain/filter/session-filter.js";
import { exactPattern, FOLDER_NAME, type FoldedPattern, folded, partPattern } from "./folded-text.js";
import { toSearchedText } from "./session-summary.js";
import type { SqlValues } from "./sql-values.js";

type TextCondition = (value: string, wanted: boolean, values: SqlValues) => string | undefined;

export const TEXT_CONDITIONS: { readonly [Field in TextField]?: TextCondition } = {
  text: (value, wanted, values) => {
    // In the database, half of a surrogate pair does not match part of a pair.
    if (/\p{Surrogate}/u.test(value)) return undefined;
    const at = `strpos(search, ${values.parameter(toSearchedText(value))})`;
    return wanted ? `(${at} > 0 OR ${contains("prompt", partPattern(value), values)})` : `${at} = 0`;
  },
  title: (value, wanted, values) => compared(contains, "title", partPattern(value), wanted, values),
  session: (value, wanted, values) => compared(isLike, "session_id", exactPattern(value), wanted, values),
  user: (value, wanted, values) => compared(isLike, "user_id", exactPattern(value), wanted, values),
  tenant: (value, wanted, values) => {
    if (!wanted) return compared(isLike, "tenant_id", exactPattern(value), wanted, values);
    const { ofTenant, inFolder } = tenantConditions(value, values);
    return `(${ofTenant} OR ${inFolder})`;
  },
  status: stateCondition,
  model: modelCondition,
  label: (_value, wanted) => (wanted ? "false" : undefined),
  error: (_value, wanted) => (wanted ? "errors IS DISTINCT FROM 0" : undefined),
};

/** Only `toItem` knows the clock: a session that runs in the database may be in several states. */
function stateCondition(value: string, wanted: boolean): string | undefined {
  const stored = value === "failed" ? "error" : value;
  if (stored === "error" || stored === "waiting") return `state ${wanted ? "=" : "<>"} '${stored}'`;
  const isSettled = `(state = 'idle' AND concat(trace_end, orchestration_end) !~ '"calls":[[]|"end":"session"')`;
  if (!wanted) return value === "idle" ? `NOT ${isSettled}` : undefined;
  const isOther = `state NOT IN ('error', 'waiting')`;
  return value === "idle" ? isOther : `(${isOther} AND NOT ${isSettled})`;
}

type Comparison = (column: string, pattern: FoldedPattern, values: SqlValues) => string;

function isLike(column: string, { operator, value }: FoldedPattern, values: SqlValues): string {
  return `${folded(column)} ${operator} ${values.parameter(value)}`;
}

function contains(column: string, pattern: FoldedPattern, values: SqlValues): string {
  return `(${column} IS NOT NULL AND ${isLike(column, pattern, values)})`;
}

function compared(
  compare: Comparison,
  column: string,
  pattern: FoldedPattern,
  wanted: boolean,
  values: SqlValues,
): string | undefined {
  if (wanted) return compare(column, pattern, values);
  return pattern.isExact ? `NOT ${compare(column, pattern, values)}` : undefined;
}

/** Two conditions, because the tenant and the folder's name have separate indexes. */
export function tenantConditions(value: string, values: SqlValues) {
  const pattern = exactPattern(value);
  return {
    ofTenant: isLike("tenant_id", pattern, values),
    inFolder: isInFolder(value, pattern, values),
  };
}

function isInFolder(value: string, pattern: FoldedPattern, values: SqlValues): string {
  const name = value.split(/[\\/]/).findLast((part) => part !== "") ?? "";
  const last = exactPattern(name);
  const named = () => `${FOLDER_NAME} ${last.operator} ${values.parameter(last.value)}`;
  const isPath = name !== value;
  const hasStar = name.includes("*");
  const path = isPath || hasStar ? isLike("directory", pattern, values) : "true";
  if (isPath) return `(directory IS NOT NULL AND ${path}${hasStar ? "" : ` AND ${named()}`})`;
  return `(directory IS NOT NULL AND (${named()}${hasStar ? ` OR ${path}` : ""}))`;
}

/** Models of turns, and of later calls in `trace_end`. Without both, the list is incomplete. */
function modelCondition(value: string, wanted: boolean, values: SqlValues): string | undefined {
  const pattern = partPattern(value);
  if (!wanted) return compared(contains, "model", pattern, wanted, values);
  // JSON spells these in other ways.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are among them
  if (/["\\\x00-\x1f]/.test(value)) return undefined;
  const isIn = `LIKE ${values.parameter(pattern.value)}`;
  const columns = ["model", "usage_by_model"].map(
    (column) => `(${column} IS NOT NULL AND ${folded(column)} ${isIn})`,
  );
  const uncounted = `(strpos(trace_end, '"uncounted') > 0 AND ${folded("trace_end")} ${isIn})`;
  const isUnknown = `(usage_by_model IS NULL OR strpos(usage_by_model, '"model"') = 0)`;
  return `(${[...columns, uncounted, isUnknown].join(" OR ")})`;
}
