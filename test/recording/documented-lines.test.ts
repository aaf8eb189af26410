import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";

const FRAMEWORKS = await readFile(new URL("../../docs/frameworks.md", import.meta.url), "utf8");

/** What the snippets import of this package: the entry point and the names. */
const IMPORTS = [...FRAMEWORKS.matchAll(/import \{ ([^}]+) \} from "agent-inspector\/([\w-]+)"/g)];

describe("the lines that docs/frameworks.md names for each framework", () => {
  it("are there for every adapter", () => {
    const entries = new Set(IMPORTS.map(([, , entry]) => entry));
    const adapters = ["ai-sdk", "langchain", "mastra", "openai-agents", "otel"];
    expect(adapters.filter((entry) => !entries.has(entry))).toEqual([]);
  });

  it.each(IMPORTS.map(([, names, entry]) => [entry!, names!]))(
    "import from %s what it has: %s",
    async (entry, names) => {
      const exported = await import(`../../src/${entry}.ts`);
      for (const name of names.split(", ")) expect(exported[name]).toBeTypeOf("function");
    },
  );
});
