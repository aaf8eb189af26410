import { accessSync, constants, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { PROJECT_ROOT } from "../support/build.js";

interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
  readonly steps: readonly { readonly run?: string }[];
}

const read = (file: string) => readFileSync(path.join(PROJECT_ROOT, file), "utf8");
const { jobs } = parse(read(".github/workflows/release.yml")) as {
  readonly jobs: { readonly check: Job; readonly "release-check": Job; readonly publish: Job };
};
const commandsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);

describe("the release workflow", () => {
  it("runs all checks on each line of Node.js from the oldest that the package names", () => {
    const { engines } = JSON.parse(read("package.json")) as { readonly engines: { readonly node: string } };
    const { node } = jobs.check.strategy!.matrix;
    expect(node).toEqual([20, 22, 24]);
    expect(engines.node).toMatch(new RegExp(`^>=${node[0]}\\.`));
    expect(commandsOf(jobs.check)).toContain(".ci/run");
    accessSync(path.join(PROJECT_ROOT, ".ci/run"), constants.X_OK);
  });

  it("publishes a tag that is the version, without a token or a registry's address, where all checks passed", () => {
    const { publish } = jobs;
    expect(publish.if).toBe("startsWith(github.ref, 'refs/tags/v')");
    expect(publish.needs).toEqual(["check", "release-check"]);
    expect(commandsOf(jobs["release-check"])).toEqual(
      expect.arrayContaining(["npm run check:release", "npm run test:soak"]),
    );
    expect(read(".github/workflows/release.yml")).not.toMatch(/registry|secrets|NODE_AUTH_TOKEN/);
    expect(publish.permissions?.["id-token"]).toBe("write");
    const commands = commandsOf(publish);
    const words = [
      "GITHUB_REF_NAME",
      "npm ci",
      "repository.url",
      "absolute-links.mjs",
      "npm publish --access public",
    ];
    expect(words.map((part) => commands.findIndex((command) => command.includes(part)))).toEqual([
      0, 1, 2, 3, 4,
    ]);
  });
});
