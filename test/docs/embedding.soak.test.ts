import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../support/data-directory.js";
import { expectEmbedded, expectGuarded, recipe, stripsPrefix, writeHistory } from "../support/embedding.js";
import { ALLOWED } from "../support/hosts.js";
import { installed, packedInto, runs } from "../support/installed.js";
import { freePort } from "../support/snippets.js";

/** An application of a framework that is a folder, or of another runtime. */
interface Application {
  readonly packages: readonly string[];
  /** Its files by their paths; what stands in a text's place is a snippet of the document. */
  readonly files: Readonly<Record<string, string>>;
  /** What builds it, of the packages. */
  readonly build?: readonly string[];
  /** What serves it, of the packages or Node.js, on `PORT`. */
  readonly start: readonly string[];
}

const HONO = "4.13.19";
const ALLOWED_HERE = `export const isAllowed = ({ headers }) =>
  (headers.get?.("authorization") ?? headers.authorization) === "Bearer let-me-in";\n`;
/** The functions of a host that is one file. */
const FUNCTIONS = `import process from "node:process"; import { isAllowed } from "./is-allowed.mjs";
  const app = () => new Response("the host"); const port = Number(process.env.PORT);\n`;

const guarded = (name: string) =>
  FUNCTIONS + recipe("fetch-guard") + recipe(name).replaceAll(/inspector\.fetch(?!:)/g, "guarded");

const APPLICATIONS: Readonly<Record<string, Application>> = {
  "Next.js": {
    packages: ["next@16.4.6", "react@19.3.1", "react-dom@19.3.1"],
    files: {
      "app/inspect/[[...path]]/route.js": recipe("next.js"),
      "next.config.mjs": recipe("next.config.mjs"),
      "proxy.js": recipe("next-guard.js"),
      "app/layout.js": "export default ({ children }) => <html><body>{children}</body></html>;",
      "app/page.js": `export default () => "the host";`,
    },
    build: ["next", "build"],
    start: ["next", "start"],
  },
  SvelteKit: {
    packages: [
      ...["@sveltejs/kit@2.70.4", "@sveltejs/adapter-node@5.5.7", "@sveltejs/vite-plugin-svelte@6.2.4"],
      ...["svelte@5.57.3", "vite@7.3.8"],
    ],
    files: {
      "src/routes/inspect/[...path]/+server.js": recipe("sveltekit.js"),
      "src/hooks.server.js": recipe("sveltekit-guard.js"),
      "src/lib/server/histories.mjs": recipe("histories.mjs"),
      "src/lib/server/is-allowed.mjs": ALLOWED_HERE,
      "src/routes/+page.svelte": "the host",
      "src/app.html":
        "<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>",
      "svelte.config.js": `import adapter from "@sveltejs/adapter-node"; export default { kit: { adapter: adapter() } };`,
      "vite.config.js": `import { sveltekit } from "@sveltejs/kit/vite"; export default { plugins: [sveltekit()] };`,
    },
    build: ["vite", "build"],
    start: ["node", "build"],
  },
  Nuxt: {
    packages: ["nuxt@4.4.5"],
    files: {
      "server/middleware/1.guard.js": recipe("nuxt-guard.js"),
      "server/middleware/2.inspector.js": recipe("nuxt.js"),
      "nuxt.config.mjs": "export default defineNuxtConfig({ telemetry: false });",
      "app/app.vue": "<template>the host</template>",
    },
    build: ["nuxt", "build"],
    start: ["node", ".output/server/index.mjs"],
  },
  Bun: {
    packages: ["bun@1.4.5"],
    files: { "host.mjs": guarded("bun") },
    start: ["bun", "run", "host.mjs"],
  },
  Deno: {
    packages: ["deno@2.9.6"],
    files: { "host.mjs": guarded("deno") },
    start: ["deno", "run", "--allow-all", "--node-modules-dir=manual", "host.mjs"],
  },
};

it.for(Object.keys(APPLICATIONS))(
  "docs/embedding.md puts the API and the page into an application, and says where its guard stands: %s",
  { timeout: 600_000 },
  async (name, { skip }) => {
    const { packages, files, build, start } = APPLICATIONS[name]!;
    const folder = await temporaryFolder();
    const modules = await installed(folder, [packedInto(folder), `hono@${HONO}`, ...packages]);
    const command = (named: string) =>
      named === "node" ? process.execPath : path.join(modules, ".bin", named);
    if (!runs(command((build ?? start)[0]!))) return skip(`npm could not install ${packages[0]} here`);
    const texts = { "histories.mjs": recipe("histories.mjs"), "is-allowed.mjs": ALLOWED_HERE, ...files };
    for (const [file, text] of Object.entries(texts)) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), text);
    }
    await writeHistory(folder);
    const port = await freePort();
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      PORT: String(port),
      NEXT_TELEMETRY_DISABLED: "1",
    };
    const options = { cwd: folder, env, encoding: "utf8" } as const;
    if (build !== undefined) execFileSync(command(build[0]!), build.slice(1), { ...options, stdio: "pipe" });

    const host = spawn(command(start[0]!), start.slice(1), {
      ...options,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = once(host, "exit");
    onTestFinished(async () => {
      host.kill();
      await ended;
    });
    const base = `http://127.0.0.1:${port}`;
    await vi.waitFor(() => fetch(base), { timeout: 60_000, interval: 100 });
    const [header, value = ""] = ALLOWED.split(": ");
    const init = { headers: { [header!]: value } };
    await expectEmbedded(`${base}/inspect`, init);
    await expectEmbedded(`http://127.0.0.1:${await stripsPrefix(port)}/tools/inspect`, init);
    expect(await (await fetch(base)).text()).toContain("the host");
    await expectGuarded(port, { resolves: true });
  },
);
