import type { LineText } from "./line-strings.js";
import { replaceParts } from "./replace.js";

/**
 * Other text stays as written. A number becomes a string.
 * @param replaced by index in `texts`
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

/** Different names of an object stay different: a reader would lose the first value. */
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
