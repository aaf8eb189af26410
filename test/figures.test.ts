import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");

const EXCEPTIONS = [
  "src/domain/text/figures.ts",
  // Own words of an answer are literals.
  "src/adapters/mcp/answer/figures.ts",
];

const FIGURES = [
  /[≥≈]\s*\+?\$\{/,
  /"[≥≈] ?"/,
  /\$\{[^}]*\.toFixed\(\d\)\}\s*(?:[kMG]?B|s|m)\b/,
  /\$\$\{[^}]*\.to(?:Fixed|Precision)\(/,
  /"no pricing"/,
  /\d \? "" : "s"/,
  /Intl\.NumberFormat/,
];

it("one module writes amounts, sizes, durations, counts and their marks", () => {
  const files = ["src", "ui/src"].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}/${name.split(path.sep).join("/")}`,
    ),
  );
  const others = files.filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\./.test(file) && !EXCEPTIONS.includes(file),
  );
  const written = others.flatMap((file) =>
    readFileSync(path.join(ROOT, file), "utf8")
      .split("\n")
      .filter((line) => FIGURES.some((pattern) => pattern.test(line)))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(written).toEqual([]);
});
