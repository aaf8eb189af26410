interface Decided {
  readonly id: string;
  readonly rule: string;
}

export interface RuleFindings<Finding> {
  readonly rule: string;
  readonly findings: readonly Finding[];
}

export function findingsByRule<Finding extends Decided>(
  findings: readonly Finding[],
): RuleFindings<Finding>[] {
  const byRule = new Map<string, Finding[]>();
  for (const finding of findings) {
    const others = byRule.get(finding.rule);
    if (others === undefined) byRule.set(finding.rule, [finding]);
    else others.push(finding);
  }
  return [...byRule].map(([rule, of]) => ({ rule, findings: of }));
}

export function decide(
  exceptions: ReadonlySet<string>,
  findings: readonly Decided[],
  stays: boolean,
): ReadonlySet<string> {
  const next = new Set(exceptions);
  for (const { id } of findings) {
    if (stays) next.add(id);
    else next.delete(id);
  }
  return next;
}

const NUMBERED = /^(.*-)(\d{1,6})$/;

/**
 * Combines consecutive numbers of a rule to a range, because an address has no room for thousands.
 * @returns `undefined` if nothing stays
 * @example keptNames(new Set(["key-1", "key-2", "key-4"])) // ["key-1..2", "key-4"]
 */
export function exceptionNames(exceptions: ReadonlySet<string>): readonly string[] | undefined {
  const names: string[] = [];
  const numbers = new Map<string, number[]>();
  for (const id of exceptions) {
    const [, rule, number] = NUMBERED.exec(id) ?? [];
    if (rule === undefined) names.push(id);
    else if (numbers.get(rule)?.push(Number(number)) === undefined) numbers.set(rule, [Number(number)]);
  }
  for (const [rule, of] of numbers) {
    of.sort((a, b) => a - b);
    for (let from = 0; from < of.length; ) {
      let to = from;
      while (of[to + 1] === of[to]! + 1) to++;
      names.push(from === to ? `${rule}${of[from]}` : `${rule}${of[from]}..${of[to]}`);
      from = to + 1;
    }
  }
  return names.length === 0 ? undefined : names;
}

const VISIBLE = 4;

/** Only the beginning of a long value is readable. */
export function maskedValue(value: string): string {
  return value.length < 3 * VISIBLE ? MASK : `${value.slice(0, VISIBLE)}${MASK}`;
}

const MASK = "••••••••";

const LEAST_HIDDEN = 6;

const LEAST_CUT = 4;

export function hiddenValues(findings: readonly { readonly value: string }[]): readonly string[] {
  return findings
    .map(({ value }) => value)
    .filter((value) => value.length >= LEAST_HIDDEN && !value.startsWith("data:"));
}

/**
 * Hides other values in the text around a value, also truncated ones.
 * @example withoutValues("et123 and hunter2", ["secret123", "hunter2"]) // "•••••••• and ••••••••"
 */
export function withoutValues(text: string, values: readonly string[]): string {
  const [head, tail] = [text.slice(0, LEAST_CUT), text.slice(-LEAST_CUT)];
  let masked = text;
  for (const value of values) {
    if (masked.includes(value)) masked = masked.replaceAll(value, MASK);
    if (head.length < LEAST_CUT || value.length > MOST_LOOKED_AT) continue;
    if (value.includes(head)) masked = withoutCut(masked, value, "start");
    if (value.includes(tail)) masked = withoutCut(masked, value, "end");
  }
  return masked;
}

/** The excerpt cuts off more of longer values. */
const MOST_LOOKED_AT = 4_000;

function withoutCut(text: string, value: string, at: "start" | "end"): string {
  for (let length = Math.min(text.length, value.length); length >= LEAST_CUT; length--) {
    if (at === "start" && text.startsWith(value.slice(-length))) return MASK + text.slice(length);
    if (at === "end" && text.endsWith(value.slice(0, length))) return text.slice(0, -length) + MASK;
  }
  return text;
}

const IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z\d+/=]+$/;

/** Excludes addresses that a page would run or load. */
export function imageIn(value: string): string | undefined {
  return IMAGE.test(value) ? value : undefined;
}
