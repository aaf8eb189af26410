import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../ui/src");
const TOKENS = "styles/tokens.css";

/** Values that a declaration of these properties may have, beside tokens. */
const RULES: readonly { readonly of: RegExp; readonly plain: RegExp }[] = [
  {
    of: /^(padding|margin|gap|row-gap|column-gap|scroll-margin|scroll-padding)/,
    plain: /^(0|auto|inherit|-?1px|-?[\d.]+%|-?[\d.]+r?em|-?\d+[dsl]?v[wh])$/,
  },
  { of: /^font-size$/, plain: /^(inherit|[\d.]+em|0)$/ },
  { of: /^font-weight$/, plain: /^inherit$/ },
  { of: /radius$/, plain: /^(0|50%|inherit)$/ },
  { of: /^box-shadow$/, plain: /^(none|inset|0|-?[1-4]px)$/ },
];

const COLOUR = /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|light-dark)\(/i;

const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".css"),
);
const sheets = new Map(
  files.map((name) => [name.replaceAll("\\", "/"), readFileSync(path.join(ROOT, name), "utf8")]),
);

function plainParts(value: string): string[] {
  const rest = value
    .replace(/var\(--[\w-]+(?:, [^()]*)?\)/g, " ")
    .replace(/calc\(|env\([^)]*\)|max\(|min\(|[()/*+,]/g, " ");
  return rest.split(/\s+/).filter((part) => part !== "" && part !== "-" && !/^-?\d+(\.\d+)?$/.test(part));
}

it("Style sheets name the tokens of the design, and no size or colour of their own", () => {
  const wrong: string[] = [];
  for (const [name, text] of sheets) {
    if (name === TOKENS) continue;
    for (const [, property = "", value = ""] of text
      .replace(/\/\*.*?\*\//gs, "")
      .matchAll(/([\w-]+):\s*([^;{}]+);/g)) {
      const rule = RULES.find(({ of }) => of.test(property));
      const odd = rule === undefined ? [] : plainParts(value).filter((part) => !rule.plain.test(part));
      if (odd.length > 0 || COLOUR.test(value)) wrong.push(`${name}: ${property}: ${value}`);
    }
  }
  expect(wrong).toEqual([]);
});

it("Every token of the design is used", () => {
  const tokens = [...sheets.get(TOKENS)!.matchAll(/^ {2}(--[\w-]+):/gm)].map(([, token]) => token!);
  const sources = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const all = [
    ...sheets.values(),
    ...sources.map((name) => readFileSync(path.join(ROOT, name), "utf8")),
  ].join("\n");
  expect(tokens.length).toBeGreaterThan(40);
  expect([...new Set(tokens)].filter((token) => !all.includes(`var(${token})`))).toEqual([]);
});
