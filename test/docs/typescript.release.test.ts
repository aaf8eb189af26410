import { expect, it } from "vitest";
import { compileSnippets, type RESOLUTIONS } from "../support/typed-snippets.js";

it.each(["nodenext", "bundler"] as const satisfies readonly (keyof typeof RESOLUTIONS)[])(
  "every snippet compiles where modules are resolved as by %s",
  async (resolution) => {
    const { errors } = await compileSnippets(resolution);
    expect(errors).toEqual([]);
  },
);
