/** Fields of a finding that a decision needs. */
interface Decided {
  readonly id: string;
  readonly rule: string;
}

export interface RuleFindings<Finding> {
  readonly rule: string;
  readonly findings: readonly Finding[];
}

/** Groups findings by rule, in the order of each rule's first finding. */
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

/** Some findings stay, or are removed, besides what was decided before. */
export function decide(
  kept: ReadonlySet<string>,
  findings: readonly Decided[],
  stays: boolean,
): ReadonlySet<string> {
  const next = new Set(kept);
  for (const { id } of findings) {
    if (stays) next.add(id);
    else next.delete(id);
  }
  return next;
}

const NUMBERED = /^(.*-)(\d{1,6})$/;

/**
 * Returns the names of the findings that stay, for a request. Consecutive numbers of a rule become one range, because an address has no
 * room for thousands.
 *
 * @returns `undefined` if nothing stays
 * @example keptNames(new Set(["key-1", "key-2", "key-4"])) // ["key-1..2", "key-4"]
 */
export function keptNames(kept: ReadonlySet<string>): readonly string[] | undefined {
  const names: string[] = [];
  const numbers = new Map<string, number[]>();
  for (const id of kept) {
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

/** Number of characters of a value that are visible until it is revealed. */
const SEEN = 4;

/** A value whose beginning alone can be read, where it is long enough to have one. */
export function maskedValue(value: string): string {
  return value.length < 3 * SEEN ? MASK : `${value.slice(0, SEEN)}${MASK}`;
}

const MASK = "••••••••";

/** Shorter ones are in any text. */
const LEAST_HIDDEN = 6;

/** Minimum number of characters that identify a truncated value. */
const LEAST_CUT = 4;

/** Returns the values that are hidden in the text around another value. */
export function hiddenValues(findings: readonly { readonly value: string }[]): readonly string[] {
  return findings
    .map(({ value }) => value)
    .filter((value) => value.length >= LEAST_HIDDEN && !value.startsWith("data:"));
}

/**
 * A text around a value without the other values in it, also those that its beginning or its end cuts off.
 *
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

/** Of a longer one more than its end is cut off anyway. */
const MOST_LOOKED_AT = 4_000;

function withoutCut(text: string, value: string, at: "start" | "end"): string {
  for (let length = Math.min(text.length, value.length); length >= LEAST_CUT; length--) {
    if (at === "start" && text.startsWith(value.slice(-length))) return MASK + text.slice(length);
    if (at === "end" && text.endsWith(value.slice(0, length))) return text.slice(0, -length) + MASK;
  }
  return text;
}

const IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z\d+/=]+$/;

/** The address of an image that a value is; of what a page would run, or load, none. */
export function imageIn(value: string): string | undefined {
  return IMAGE.test(value) ? value : undefined;
}
