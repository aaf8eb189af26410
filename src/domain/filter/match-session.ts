import type { SessionFacts } from "../facts/session-facts.js";
import type { ListedSession } from "../session/model-usage.js";
import { hasNoCounts, stateOf } from "../session/session.js";
import { instantOf } from "../trace/instant.js";
import { isLowerBound } from "../usage/money.js";
import type { NumberField, SessionFilter, TextField, TextTerm } from "./session-filter.js";

/**
 * The function returns `undefined` if it cannot decide: the source has no such facts, has not read them yet, or prices were not
 * requested.
 * @example const matches = matchSession(filter); sessions.filter((one) => matches(one) === true)
 */
export function matchSession(filter: SessionFilter): (session: ListedSession) => boolean | undefined {
  switch (filter.is) {
    case "all": {
      const all = filter.of.map(matchSession);
      return (session) => whichever(all, session, false);
    }
    case "any": {
      const any = filter.of.map(matchSession);
      return (session) => whichever(any, session, true);
    }
    case "not": {
      const matches = matchSession(filter.of);
      return (session) => {
        const isMatch = matches(session);
        return isMatch === undefined ? undefined : !isMatch;
      };
    }
    case "error":
      return ({ errors }) => (errors === undefined ? undefined : errors > 0);
    case "undecided":
      return () => undefined;
    case "text":
      return textMatcher(filter);
    case "number": {
      const { field, least, most, isOpen } = filter;
      const isWithin = (value: number) =>
        isOpen ? value > least && value < most : value >= least && value <= most;
      return (session) => {
        const value = NUMBERS[field](session);
        if (value === undefined) return undefined;
        if (!value.isLeast) return isWithin(value.number);
        // The number is a lower bound.
        return value.number > most ? false : most === Infinity && isWithin(value.number) ? true : undefined;
      };
    }
    default:
      return filter satisfies never;
  }
}

type Matcher = (session: ListedSession) => boolean | undefined;

function whichever(matchers: readonly Matcher[], session: ListedSession, decisive: boolean) {
  let result: boolean | undefined = !decisive;
  for (const matches of matchers) {
    const one = matches(session);
    if (one === decisive) return decisive;
    if (one === undefined) result = undefined;
  }
  return result;
}

function textMatcher({ field, value, isExact }: TextTerm): Matcher {
  const isLike = isExact ? exactMatcher(value) : (text: string) => text.toLowerCase().includes(value);
  const textsOf: TextsOf = TEXTS[field];
  // The list names only the newest model.
  const isPart = (session: ListedSession) =>
    field === "model" && (session.models ?? session.usageByModel ?? session.facts) === undefined;
  return (session) => {
    const isMatch = textsOf(session)?.some(isLike);
    return isMatch === false && isPart(session) ? undefined : isMatch;
  };
}

/** `*` matches any characters. The pattern is compared piece by piece: an untrusted pattern must not become a regular expression. */
function exactMatcher(value: string): (text: string) => boolean {
  if (!value.includes("*")) return (text) => text.toLowerCase() === value;
  const [first = "", ...rest] = value.split("*");
  const last = rest.pop() ?? "";
  return (text) => {
    const lower = text.toLowerCase();
    if (!lower.startsWith(first) || !lower.endsWith(last)) return false;
    let at = first.length;
    for (const piece of rest) {
      const position = lower.indexOf(piece, at);
      if (position === -1) return false;
      at = position + piece.length;
    }
    return at + last.length <= lower.length;
  };
}

type TextsOf = (session: ListedSession) => readonly string[] | undefined;

const present = (...texts: readonly (string | undefined)[]) => texts.filter((text) => text !== undefined);

const TEXTS: { readonly [Field in TextField]: TextsOf } = {
  text: ({ sessionId, userId, title, prompt }) => present(sessionId, userId, title, prompt),
  source: ({ source, tenantId }) => present(source, source && keyOf(tenantId)),
  tenant: ({ tenantId, directory, source }) =>
    present(
      tenantId,
      source && tenantId.slice((keyOf(tenantId)?.length ?? -1) + 1),
      ...namesOfFolder(directory),
    ),
  session: ({ sessionId }) => [sessionId],
  user: ({ userId }) => [userId],
  status: (session) => {
    const { kind } = stateOf(session);
    return kind === "failed" ? [kind, "error"] : [kind];
  },
  title: ({ title }) => present(title),
  label: ({ labels = [] }) => labels,
  model: ({ model, models = [], usageByModel = [], facts }) => {
    const names = [model, ...models, ...usageByModel.map((used) => used.model), ...modelsIn(facts)];
    const existing = present(...names).filter((name) => name !== "");
    return existing.length === 0 && facts === undefined ? undefined : existing;
  },
  tool: ({ facts }) => facts?.tools,
  failed: ({ facts, errors }) => (errors === 0 ? [] : facts && failedTools(facts)),
  error: ({ facts, errors }) => (errors === 0 ? [] : facts?.causes),
  file: ({ facts }) => facts && [...facts.edited, ...facts.read],
  edited: ({ facts }) => facts?.edited,
  role: ({ facts }) => facts?.roles.filter((role) => role !== ""),
};

function failedTools({ tools, toolUse }: SessionFacts): readonly string[] {
  return tools.filter((_, place) =>
    toolUse.tool.some((tool, i) => tool === place && toolUse.failures[i]! > 0),
  );
}

function modelsIn(facts: SessionFacts | undefined): readonly string[] {
  return facts === undefined ? [] : facts.models.map(({ model }) => model);
}

/** With several sources, tenant `t` of source `k` has the id `k:t`. */
function keyOf(tenantId: string): string | undefined {
  const end = tenantId.indexOf(":");
  return end === -1 ? undefined : tenantId.slice(0, end);
}

function namesOfFolder(directory: string | undefined): readonly string[] {
  if (directory === undefined) return [];
  const last = directory.split(/[\\/]/).findLast((name) => name !== "");
  return present(directory, last);
}

interface FilterNumber {
  readonly number: number;
  /** True if the real number may be higher. */
  readonly isLeast?: boolean;
}

const existing = (number: number | undefined): FilterNumber | undefined =>
  number === undefined ? undefined : { number };

const NUMBERS: {
  readonly [Field in NumberField]: (session: ListedSession) => FilterNumber | undefined;
} = {
  cost: ({ cost }) => cost && { number: cost.usd, isLeast: isLowerBound(cost) },
  tokens: (session) => (hasNoCounts(session) ? undefined : existing(session.tokens)),
  turns: ({ turns }) => existing(turns),
  errors: ({ errors }) => existing(errors),
  duration: ({ createdAt, lastActive }) => {
    const [from, to] = [instantOf(createdAt), instantOf(lastActive)];
    return from === undefined || to === undefined ? undefined : existing(Math.max(0, to - from));
  },
  calls: ({ facts }) => existing(facts?.usage.calls.reduce((sum, calls) => sum + calls, 0)),
  agents: ({ facts }) => existing(facts?.agents),
  compactions: ({ facts }) => existing(facts?.compactions),
  after: ({ lastActive }) => existing(instantOf(lastActive)),
  before: ({ createdAt, lastActive }) => existing(instantOf(createdAt ?? lastActive)),
};
