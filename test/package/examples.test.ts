import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";
import { snippetIn } from "../support/snippets.js";

const EXAMPLES = path.join(PROJECT_ROOT, "examples");
const IMPORTS = /\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;

describe("the examples of the package", () => {
  it("are among its files", () => {
    const { files } = JSON.parse(readFileSync(path.join(PROJECT_ROOT, "package.json"), "utf8")) as {
      readonly files: readonly string[];
    };
    expect(files).toContain("examples");
  });

  it.each(readdirSync(EXAMPLES))(
    "import only their own files, Node.js, and packages that their README installs: %s",
    (name) => {
      const folder = path.join(EXAMPLES, name);
      const copy = snippetIn(readFileSync(path.join(folder, "README.md"), "utf8"), "copy.sh");
      const installed = (/^npm install (.*)$/m.exec(copy)?.[1] ?? "").split(" ").map(packageOf);
      expect(copy).toContain(`cp -R node_modules/agent-inspector/examples/${name} ${name}\n`);
      const sources = readdirSync(folder).filter((file) => file.endsWith(".ts"));
      expect(sources.length).toBeGreaterThan(0);
      const wrong = sources.flatMap((file) =>
        [...readFileSync(path.join(folder, file), "utf8").matchAll(IMPORTS)]
          .map(([, from, alone, later]) => from ?? alone ?? later ?? "")
          .filter((specifier) => {
            if (specifier.startsWith("node:")) return false;
            if (specifier.startsWith("./"))
              return !sources.includes(specifier.slice(2).replace(/\.js$/, ".ts"));
            return (
              !installed.includes(packageOf(specifier)) &&
              !(packageOf(specifier) === "vitest" && /\.test\.ts$/.test(file))
            );
          })
          .map((specifier) => `${file} imports ${specifier}`),
      );
      expect(wrong).toEqual([]);
    },
  );
});

/** @example packageOf("@ai-sdk/anthropic@3") // "@ai-sdk/anthropic" */
function packageOf(specifier: string): string {
  return /^(?:@[^/]+\/)?[^@/]+/.exec(specifier)?.[0] ?? specifier;
}
