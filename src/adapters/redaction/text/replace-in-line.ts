import type { LineText } from "./line-strings.js";
import { replaceParts } from "./replace.js";

/**
 * A line of JSON with other texts in some places; all else of it stays as it was written. A number becomes a string.
 *
 * @param replaced by the places of the texts in `texts`
 */
export function replaceInLine(
  line: string,
  texts: readonly LineText[],
  replaced: ReadonlyMap<number, string>,
): string {
  const names = new NamesOfObjects(texts, replaced);
  const parts = [...replaced]
    .toSorted(([a], [b]) => a - b)
    .map(([at, text]) => {
      const { start, end, kind, object } = texts[at]!;
      const json = JSON.stringify(kind === "name" ? names.own(object, text) : text);
      return { start, end, text: kind === "number" ? json : json.slice(1, -1) };
    });
  return replaceParts(line, parts);
}

/** Two names of an object that differ stay different: whoever reads it would lose the value of the first. */
class NamesOfObjects {
  readonly #names = new Map<number, Set<string>>();

  constructor(texts: readonly LineText[], replaced: ReadonlyMap<number, string>) {
    for (const at of replaced.keys())
      if (texts[at]!.kind === "name") this.#names.set(texts[at]!.object, new Set());
    for (const [at, { kind, object, text }] of texts.entries()) {
      if (kind === "name" && !replaced.has(at)) this.#names.get(object)?.add(text);
    }
  }

  own(object: number, name: string): string {
    const names = this.#names.get(object)!;
    let own = name;
    for (let number = 2; names.has(own); number++) own = `${name} (${number})`;
    names.add(own);
    return own;
  }
}
