import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { DOWNLOAD_COMMAND } from "../../src/adapters/cli/commands/mcp-setup-command.js";
import { temporaryFolder } from "../support/data-directory.js";
import { sized } from "../support/soak.js";

const PROTOCOL = "@modelcontextprotocol/server";

/** The command prints its folder, once it has imported the other package. */
const PACKAGES = {
  "agent-inspector": {
    "package.json": JSON.stringify({
      name: "agent-inspector",
      version: "0.1.0",
      type: "module",
      bin: { "agent-inspector": "main.js" },
    }),
    "main.js": `#!/usr/bin/env node
      import ${JSON.stringify(PROTOCOL)};
      console.log("started in", process.cwd(), "with", process.argv.slice(2).join(" "));`,
  },
  [PROTOCOL]: {
    "package.json": JSON.stringify({ name: PROTOCOL, version: "2.4.0", type: "module", main: "index.js" }),
    "index.js": "",
  },
} as const;

type PackageName = keyof typeof PACKAGES;

function writePackage(folder: string, name: PackageName): void {
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(PACKAGES[name])) {
    writeFileSync(path.join(folder, file), text, { mode: 0o755 });
  }
}

async function startRegistry(): Promise<string> {
  const folder = await temporaryFolder();
  const answers = new Map<string, string | Buffer>();
  const server = createServer(({ url = "" }, response) => {
    const answer = answers.get(decodeURIComponent(url));
    if (answer === undefined) response.statusCode = 404;
    response.end(answer);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const name of Object.keys(PACKAGES) as PackageName[]) {
    const place = path.join(folder, encodeURIComponent(name));
    writePackage(path.join(place, "package"), name);
    execFileSync("tar", ["-czf", "packed.tgz", "package"], { cwd: place });
    const packed = readFileSync(path.join(place, "packed.tgz"));
    const manifest = JSON.parse(PACKAGES[name]["package.json"]) as { readonly version: string };
    const integrity = `sha512-${createHash("sha512").update(packed).digest("base64")}`;
    const version = { ...manifest, dist: { tarball: `${address}/${name}.tgz`, integrity } };
    answers.set(`/${name}.tgz`, packed);
    answers.set(
      `/${name}`,
      JSON.stringify({
        name,
        "dist-tags": { latest: manifest.version },
        versions: { [manifest.version]: version },
      }),
    );
  }
  return address;
}

describe("The command that downloads the MCP server", () => {
  const projects: readonly (readonly PackageName[])[] = [
    [PROTOCOL],
    ["agent-inspector"],
    [],
    ["agent-inspector", PROTOCOL],
  ];

  it.each(sized(projects.slice(0, 2), projects).map((packages) => [packages] as const))(
    "starts in a folder of a project that has %j",
    { timeout: 60_000 },
    async (packages) => {
      const registry = await startRegistry();
      const [home, project] = [await temporaryFolder(), await temporaryFolder()];
      writeFileSync(path.join(project, "package.json"), '{"private":true}');
      for (const name of packages) writePackage(path.join(project, "node_modules", name), name);
      const folder = path.join(project, "packages/web");
      mkdirSync(folder, { recursive: true });
      const [command, ...args] = DOWNLOAD_COMMAND;
      const { stdout } = await promisify(execFile)(command, [...args, "./data"], {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          HOME: home,
          npm_config_cache: path.join(home, "cache"),
          npm_config_registry: registry,
          npm_config_update_notifier: "false",
        },
      });
      expect(stdout).toBe(`started in ${folder} with mcp ./data\n`);
    },
  );
});
