import { expect, it } from "vitest";
import { FindingSearch, type Occurrence, type SearchedText } from "./finding-search.js";
import { lookInto } from "./views.js";

/** Runs a computation, and counts its pauses. */
function run<T>(steps: Generator<unknown, T>): { readonly value: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, pauses };
  }
}

function search(texts: readonly string[], text: string): { occurrences: Occurrence[]; pauses: number } {
  const findings = new FindingSearch(texts.map(() => ({ isWord: false, anyCase: false })));
  const searched = texts.map((one, finding): SearchedText => ({ finding, text: one }));
  const { pauses } = run(findings.add(searched));
  const found = run(findings.in(run(lookInto(text)).value));
  return { occurrences: found.value, pauses: pauses + found.pauses };
}

it("overlapping occurrences of a value in a text that repeats it are one", () => {
  const text = "xoxb-".repeat(20_000);
  expect(search(["xoxb-".repeat(60)], text).occurrences).toEqual([{ start: 0, end: 100_000, finding: 0 }]);
});

it("a search pauses while many values are added and a long text is read", () => {
  const names = Array.from({ length: 5_000 }, (_, i) => `user-${i.toString(36)}-of-somebody`);
  const { occurrences, pauses } = search(names, names.join("\n"));
  expect(occurrences.length).toBeGreaterThanOrEqual(names.length);
  expect(pauses).toBeGreaterThan(20);
});
