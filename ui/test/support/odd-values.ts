export function nested(depth: number): unknown {
  let value: unknown = "the end";
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { deeper: value };
  return value;
}

/** Instead of a text or a number. */
export const ODD_VALUES: readonly (readonly [what: string, value: unknown])[] = [
  ["an object", { code: 7, why: ["late", { by: null }] }],
  ["an object that is no text", { toString: 1, valueOf: 1 }],
  ["an array", ["first", 2]],
  ["a number", 42],
  ["null", null],
  ["true", true],
  ["the name of what every object has", "constructor"],
  ["what is nested", nested(30)],
];
