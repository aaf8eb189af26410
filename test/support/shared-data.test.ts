import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { testsThatImport } from "../../scripts/dependent-tests.mjs";
import { PROJECT_ROOT } from "./build.js";
import { kindOfShared } from "./shared-data.js";

const MODULE = "test/support/shared-data.ts";

function hasSharedData(folder: string): string {
  const code = `import { HAS_SHARED_DATA } from ${JSON.stringify(path.join(PROJECT_ROOT, MODULE))}; process.stdout.write(String(HAS_SHARED_DATA));`;
  const env = { ...process.env, AGENT_INSPECTOR_SHARED: folder };
  const args = ["--import", "tsx", "--input-type=module", "-e", code];
  return execFileSync(process.execPath, args, { cwd: PROJECT_ROOT, env, encoding: "utf8" });
}

it("The shared data is in the folder that AGENT_INSPECTOR_SHARED names, and an empty value hides it", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "shared-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect([hasSharedData(folder), hasSharedData("")]).toEqual(["false", "false"]);
  mkdirSync(path.join(folder, "data"));
  expect(hasSharedData(folder)).toBe("true");
});

it("One module locates the shared data", () => {
  const sources = ["test", "ui/test", "bench", "examples"].flatMap((folder) =>
    readdirSync(path.join(PROJECT_ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(ts|mjs)$/.test(file))
      .map((file) => path.posix.join(folder, file)),
  );
  expect(sources.length).toBeGreaterThan(400);
  const locating = sources.filter((file) =>
    /env\.AGENT_INSPECTOR_SHARED|["'`/](\.\.\/)+shared["'`/]/.test(
      readFileSync(path.join(PROJECT_ROOT, file), "utf8"),
    ),
  );
  expect(locating).toEqual([MODULE]);
});

it("The list of the tests that import a module contains indirect importers, and no other test", () => {
  const tests = testsThatImport(PROJECT_ROOT, MODULE);
  expect(tests).toEqual(
    expect.arrayContaining(["test/codex/derived.integration.test.ts", "test/support/shared-data.test.ts"]),
  );
  expect(tests).not.toContain("test/sqlite/rows.integration.test.ts");
  expect(tests.filter((file) => !file.endsWith(".test.ts"))).toEqual([]);
});

it("A folder of the shared data has the kind of its tool, and a folder that is added later has none", () => {
  const places = {
    "codex/cyspbot/sessions": "codex",
    "reports/claude-new/projects": "claude-code",
    "reports/otlp-new": "otlp",
    "synthetic/gm-new": "gemini-cli",
    "agentrail/data": "data",
    "vibe/session-migrate": "vibe",
    reports: undefined,
    "reports/unheard-of": undefined,
    "unheard-of/codex": undefined,
    codexes: undefined,
  };
  for (const [place, kind] of Object.entries(places))
    expect([place, kindOfShared(place)]).toEqual([place, kind]);
});
