import { spawnSync } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "../support/build.js";
import { temporaryFolder } from "../support/data-directory.js";
import { installInto, productionPackages } from "../support/production-packages.js";

/** The figures of docs/dependencies.md. */
const MOST_PACKAGES = 21;
const MOST_BYTES = 22_000_000;

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(path.join(entry.parentPath, entry.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

describe("npm install agent-inspector", () => {
  it("brings few packages and megabytes", async () => {
    const packages = await productionPackages();
    expect(packages.length + 1).toBeLessThanOrEqual(MOST_PACKAGES);
    const folders = ["dist", "docs", ...packages].map((folder) => bytesIn(path.join(PROJECT_ROOT, folder)));
    const pictures = await bytesIn(path.join(PROJECT_ROOT, "docs/images"));
    const bytes = (await Promise.all(folders)).reduce((sum, size) => sum + size, -pictures);
    expect(bytes).toBeGreaterThan(10_000_000);
    expect(bytes).toBeLessThan(MOST_BYTES);
    const documented = await readFile(path.join(PROJECT_ROOT, "docs/dependencies.md"), "utf8");
    expect(documented).toContain(`${MOST_PACKAGES} packages`);
  });

  it("brings no source maps", async () => {
    const files = await readdir(path.join(PROJECT_ROOT, "dist"), { recursive: true });
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter((name) => name.endsWith(".map"))).toEqual([]);
  });

  it("asks the registry for no package that is optional: npm reads all about those that have a range", async () => {
    const manifest = JSON.parse(await readFile(path.join(PROJECT_ROOT, "package.json"), "utf8")) as {
      readonly peerDependencies: object;
      readonly peerDependenciesMeta: object;
    };
    expect(Object.keys(manifest.peerDependencies)).toEqual(["hono"]);
    // Package managers that hide packages from each other show these to it.
    expect(Object.keys(manifest.peerDependenciesMeta)).toEqual(
      expect.arrayContaining(["@modelcontextprotocol/server", "@langchain/core", "pg", "vitest"]),
    );
  });

  it("leaves the MCP server's package to whoever asks for it, and says how it is installed", async () => {
    const folder = await temporaryFolder();
    await installInto(folder);
    const main = path.join(folder, "node_modules/agent-inspector/dist/src/composition/main.js");
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, "mcp"], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, HOME: folder },
      input: "",
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /^error: The MCP server needs a package that is not installed: @modelcontextprotocol\/server@2\.\n.*npx -y -p agent-inspector@latest -p @modelcontextprotocol\/server@npm:@modelcontextprotocol\/server@2 agent-inspector mcp\n/,
      ),
    });
  });
});
