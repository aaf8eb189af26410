import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";
import { packedInto } from "../support/installed.js";
import { compileStrictly, pasteSnippets } from "../support/typed-snippets.js";

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly peerDependencies: { readonly hono: string };
}

const manifest = JSON.parse(readFileSync(path.join(PROJECT_ROOT, "package.json"), "utf8")) as Manifest;

const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** The oldest that the README names, and the newest. */
const COMPILERS = { "typescript-oldest": "5.7.3", "typescript-newest": "7.0.2" } as const;

/** The declarations of optional entry points need these packages. */
const PACKAGES = [
  "vitest@4.1.12",
  "@anthropic-ai/sdk@1.12.0",
  `hono@${manifest.peerDependencies.hono.replace("^", "")}`,
  "@types/node@20.19.43",
  "pg@8.23.1",
  "@types/pg@8.23.1",
  "@langchain/core@1.4.0",
  "@opentelemetry/api@1.9.1",
  "@opentelemetry/sdk-trace-base@2.12.0",
  ...Object.entries(COMPILERS).map(([name, version]) => `${name}@npm:typescript@${version}`),
];

/** The documents of a newcomer that hold complete files. */
const PASTED = ["README.md", "docs/data-sources.md", "docs/http-api.md"];

const ENTRIES = Object.keys(manifest.exports).filter((entry) => !/\.(json|yaml)$/.test(entry));
/** Without `./langchain`, which extends a class of its peer: the peer's own declarations do not compile. */
const DECLARED = ENTRIES.filter((entry) => entry !== "./langchain");
const specifierOf = (entry: string) => path.posix.join("agent-inspector", entry);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "packed-"));
  const tarball = process.env.PACKED ?? packedInto(folder);
  writeFileSync(path.join(folder, "package.json"), '{"private":true,"type":"module"}');
  run("npm", ["install", "--no-audit", "--no-fund", tarball, ...PACKAGES], folder);
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the packed package", () => {
  it("has entry points that can be imported in an empty folder, and a command that starts", {
    timeout: 240_000,
  }, () => {
    for (const entry of ENTRIES) {
      const specifier = specifierOf(entry);
      // The contract suites are for inside a test run, where `describe` exists.
      if (entry === "./testing") {
        writeFileSync(
          path.join(folder, "suite.test.js"),
          `import { createInMemoryInspectorDataSource } from "agent-inspector/advanced";
           import { describeInspectorDataSource, describeSessionStore } from "agent-inspector/testing";
           const parse = (texts = []) => texts.map((text) => JSON.parse(text));
           describeInspectorDataSource("mine", (sessions) => createInMemoryInspectorDataSource(sessions.map((session) => ({
             ...session,
             envelopes: parse(session.envelopes),
             orchestrationEvents: parse(session.orchestrationEvents),
             messages: parse(session.messages),
           }))), { skip: { "big integers": "JSON.parse rounds them" } });
           describeSessionStore("mine", () => {
             const source = createInMemoryInspectorDataSource();
             return { store: source.sessionStore, source };
           });`,
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

  it.each(Object.keys(COMPILERS))(
    "has declarations that %s reads whole",
    { timeout: 120_000 },
    (compiler) => {
      const imports = DECLARED.map((entry, i) => `import * as entry${i} from "${specifierOf(entry)}";`);
      const source = `
      ${imports.join("\n")}
      import { createAgentApp } from "agent-inspector";
      export const entries: readonly object[] = [${DECLARED.map((_, i) => `entry${i}`).join(", ")}];
      const session = await createAgentApp({ dataDir: "./data", inspector: true }).sessions.open();
      await session.startTrace().record({ type: "acme.own", anything: 1 });
      // @ts-expect-error a misspelt member
      await session.startTrace().record({ type: "tool.end", toolCallId: "1", toolName: "read", isEror: true });`;
      writeFileSync(path.join(folder, "consumer.ts"), source);
      const compilerOptions = {
        target: "es2022",
        lib: ["es2022"],
        module: "nodenext",
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
        types: ["node"],
      };
      writeFileSync(
        path.join(folder, "tsconfig.json"),
        JSON.stringify({ compilerOptions, files: ["consumer.ts"] }),
      );
      const tsc = path.join(folder, "node_modules", compiler, "bin/tsc");
      const { stdout } = spawnSync(process.execPath, [tsc, "-p", "."], { cwd: folder, encoding: "utf8" });
      // The declarations of the oldest hono need the types of a browser, or `skipLibCheck`.
      const errors = stdout.split("\n").filter((line) => !/^node_modules\/hono\/|^ |^$/.test(line));
      expect(errors).toEqual([]);
    },
  );

  it.each(
    Object.keys(COMPILERS).flatMap((compiler) =>
      (["nodenext", "bundler"] as const).map((resolution) => [compiler, resolution] as const),
    ),
  )(
    "lets the snippets of the README and of its first documents be pasted into strict TypeScript, of %s with %s",
    {
      timeout: 120_000,
    },
    async (compiler, resolution) => {
      expect(await pasteSnippets(folder, PASTED)).toBeGreaterThan(5);
      const tsc = path.join(folder, "node_modules", compiler, "bin/tsc");
      expect(await compileStrictly(folder, resolution, tsc)).toEqual([]);
    },
  );

  it("names the oldest compiler in the README", () => {
    const [major, minor] = COMPILERS["typescript-oldest"].split(".");
    const readme = readFileSync(path.join(PROJECT_ROOT, "README.md"), "utf8");
    expect(readme).toContain(`TypeScript ${major}.${minor} or newer`);
  });

  it("brings its documents without their pictures, and no source maps", () => {
    const installed = path.join(folder, "node_modules/agent-inspector");
    const resolve = 'console.log(import.meta.resolve("agent-inspector/openapi.yaml"))';
    const address = run("node", ["--input-type=module", "-e", resolve], folder).trim();
    expect(readFileSync(new URL(address), "utf8")).toMatch(/^openapi: 3\.1/);
    expect(readdirSync(path.join(installed, "docs"))).toEqual(
      expect.arrayContaining(["http-api.md", "embedding.md", "openapi.yaml"]),
    );
    expect(readdirSync(path.join(installed, "docs"))).not.toContain("images");
    const files = readdirSync(path.join(installed, "dist"), { recursive: true, encoding: "utf8" });
    expect(files.filter((name) => name.endsWith(".js")).length).toBeGreaterThan(100);
    expect(files.filter((name) => name.endsWith(".map"))).toEqual([]);
  });
});
