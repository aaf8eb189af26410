import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";
import { temporaryFolder } from "../support/data-directory.js";

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly bin: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(path.join(PROJECT_ROOT, "package.json"), "utf8")) as Manifest;

const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

describe("the packed package", () => {
  it("installs in an empty folder; every entry point imports there and the command starts", {
    timeout: 240_000,
  }, async () => {
    const folder = await temporaryFolder();
    run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], PROJECT_ROOT);
    const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
    writeFileSync(path.join(folder, "package.json"), '{"private":true,"type":"module"}');
    run("npm", ["install", "--no-audit", "--no-fund", `./${tarball}`, "vitest@4.1.12"], folder);

    const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith(".json"));
    for (const entry of entries) {
      const specifier = path.posix.join("agent-inspector", entry);
      // The contract suite is for inside a test run, where `describe` exists.
      if (entry === "./testing") {
        writeFileSync(
          path.join(folder, "suite.test.js"),
          `import { createInMemoryInspectorDataSource } from "agent-inspector/advanced";
           import { describeInspectorDataSource } from "agent-inspector/testing";
           const parse = (texts = []) => texts.map((text) => JSON.parse(text));
           describeInspectorDataSource("mine", (sessions) => createInMemoryInspectorDataSource(sessions.map((session) => ({
             ...session,
             envelopes: parse(session.envelopes),
             orchestrationEvents: parse(session.orchestrationEvents),
             messages: parse(session.messages),
           }))), { skip: { "big integers": "JSON.parse rounds them" } });`,
        );
        expect(run("npx", ["vitest", "run"], folder)).toMatch(/Tests .*passed/);
      } else {
        const script = `console.log(Object.keys(await import(${JSON.stringify(specifier)})).length)`;
        expect(Number(run("node", ["--input-type=module", "-e", script], folder))).toBeGreaterThan(0);
      }
    }
    expect(run("npx", ["agent-inspector", "--version"], folder).trim()).toBe(manifest.version);
    expect(run("npx", ["agent-inspector", "--help"], folder)).toContain("Usage: agent-inspector");
  });
});
