import type { RE2JS } from "re2js";
import { AgentAppConfigurationError } from "../../application/errors.js";
import type { OwnRule } from "../../application/ports/export.js";
import { type OptionKind, wrongKind } from "../../domain/options/check-options.js";
import type { FindSecrets } from "./findings.js";

const MOST_RULES = 200;
const LONGEST_PATTERN = 2_000;
/** A stub may be in IDs and paths, so that it has no character of their syntax. */
const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} '_-]{0,58}[\p{L}\p{N}])?$/u;

/**
 * Reads the rules of a file: `{ "rules": [{ "name": "customer id", "pattern": "C-[0-9]{6}" }] }`.
 *
 * @param file the parsed JSON of the file
 * @throws AgentAppConfigurationError if the file or a pattern is invalid; the message names the wrong rule
 */
export async function ownRulesIn(file: unknown): Promise<readonly OwnRule[]> {
  const rules = (file as { readonly rules?: unknown } | null)?.rules;
  if (!Array.isArray(rules)) {
    throw new AgentAppConfigurationError(
      'It has no list "rules". It looks like {"rules":[{"name":"customer id","pattern":"C-[0-9]{6}"}]}.',
    );
  }
  const checked = checkedRules(rules);
  await compileOwnRules(checked);
  return checked;
}

export const REDACTION_RULES: OptionKind = (name, value) => {
  if (!Array.isArray(value)) return wrongKind(name, "an array of rules", value);
  try {
    checkedRules(value);
    return undefined;
  } catch (error) {
    return new TypeError(`\`${name}\`: ${(error as Error).message}`);
  }
};

function checkedRules(rules: readonly unknown[]): readonly OwnRule[] {
  if (rules.length > MOST_RULES) {
    throw new AgentAppConfigurationError(`There are ${rules.length} rules, and may be ${MOST_RULES}.`);
  }
  return rules.map((rule: unknown, i) => {
    const { name, pattern, ...rest } = (typeof rule === "object" && rule !== null ? rule : {}) as Record<
      string,
      unknown
    >;
    const wrong = (problem: string) =>
      new AgentAppConfigurationError(
        `Rule ${i + 1}${typeof name === "string" ? ` (${JSON.stringify(name.slice(0, 60))})` : ""} ${problem}`,
      );
    if (typeof name !== "string" || !NAME.test(name)) {
      throw wrong("needs a name of letters, digits, spaces and hyphens, of at most 60 characters.");
    }
    if (typeof pattern !== "string" || pattern === "" || pattern.length > LONGEST_PATTERN) {
      throw wrong(`needs a pattern of at most ${LONGEST_PATTERN} characters.`);
    }
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined)
      throw wrong(`has a member that there is not: ${JSON.stringify(unknown.slice(0, 60))}.`);
    return { name, pattern };
  });
}

const MOST_STEPS = 1_000;

/**
 * Uses an engine with linear time for any pattern.
 * @throws AgentAppConfigurationError for an invalid pattern, and for a pattern that can never match
 */
export async function compileOwnRules(rules: readonly OwnRule[]): Promise<FindSecrets> {
  if (rules.length === 0) return () => undefined;
  const { RE2JS, RE2JSException } = await import("re2js");
  const compiled = rules.map(({ name, pattern }) => {
    let expression: RE2JS;
    try {
      expression = RE2JS.compile(pattern);
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error;
      throw new AgentAppConfigurationError(
        `The pattern of the rule ${JSON.stringify(name)} is not valid RE2 syntax: ${error.message}.`,
      );
    }
    if (expression.programSize() > MOST_STEPS) {
      throw new AgentAppConfigurationError(
        `The pattern of the rule ${JSON.stringify(name)} is too large. Repeat less often in it.`,
      );
    }
    if (expression.matcher("").find()) {
      throw new AgentAppConfigurationError(
        `The pattern of the rule ${JSON.stringify(name)} matches an empty text. Change it so that it matches at least one character.`,
      );
    }
    return { rule: name, expression };
  });
  return (text, report) => {
    for (const { rule, expression } of compiled) {
      const matcher = expression.matcher(text);
      while (matcher.find()) {
        const group = matcher.groupCount() > 0 && matcher.start(1) >= 0 ? 1 : 0;
        const [start, end] = [matcher.start(group), matcher.end(group)];
        if (end > start) report({ rule, texts: [text.slice(start, end)] }, start, end);
      }
    }
  };
}
