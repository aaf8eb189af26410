import { causeOf } from "../../../domain/facts/cause-of.js";

/** A shorter rest of a value may be any text. */
const SHORTEST = 5;

/**
 * The forms in titles and causes of errors: single spaces, no variable parts.
 * @example foldedForms("hunter-2024!") // ["hunter-n!"]
 */
export function foldedForms(value: string): readonly string[] {
  const forms = new Set([value.replace(/\s+/g, " ").trim(), causeOf(value)]);
  forms.delete(value);
  return [...forms].filter((form) => form.replace(/[…\s]/g, "").length >= SHORTEST);
}

/** Private use: no other meaning in a text. */
const BLANK = "\ue000";

/**
 * True if a cause reveals more of a value than `texts` and their folded forms. The text around a value may fold a part of it.
 * @param text the error, with the value from `start` to `end`
 */
export function leaksIntoCause(text: string, start: number, end: number, texts: readonly string[]): boolean {
  const blanked = causeOf(`${text.slice(0, start)}${BLANK}${text.slice(end)}`).replaceAll(BLANK, "");
  let cause = causeOf(text);
  for (const one of texts) {
    for (const form of [one, ...foldedForms(one)]) cause = cause.replaceAll(form, "");
  }
  return cause !== blanked;
}
