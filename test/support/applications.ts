import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { vi } from "vitest";
import { PROJECT_ROOT } from "./build.js";
import { MEMBERS, type Mounted, recipe, writeHistory } from "./embedding.js";
import { type Mount, replaceOnce } from "./frameworks.js";
import { installed, packedInto, runs } from "./installed.js";
import { freePort } from "./snippets.js";

/**
 * An application of a framework in a folder, or of another runtime. It mounts the inspector three times: after the guard, below a base
 * path, and with an `access` that refuses.
 */
interface Application {
  readonly packages: readonly string[];
  /** Texts by path. */
  readonly files: Readonly<Record<string, string>>;
  /** A command of the packages or Node.js, and its arguments. */
  readonly build?: readonly string[];
  readonly start: readonly string[];
  /** By mount. Default is `PAGES`. */
  readonly pages?: Readonly<Record<Mount, string>>;
  readonly isEdge?: boolean;
}

const PAGES = { open: "/inspect", guarded: "/inspect", prefixed: "/tools/inspect", access: "/members" };

const HONO = "4.13.19";
const ALLOWED_HERE = `export const isAllowed = ({ headers }) =>
  (headers.get?.("cookie") ?? headers.cookie) === "token=let-me-in";\n`;

const prefixed = (text: string) => replaceOnce(text, "access })", `access, basePath: "/tools/inspect" })`);
const withAccess = (text: string) =>
  replaceOnce(
    replaceOnce(text, "{ access, source }", "{ members as access, source }"),
    "access })",
    `access, basePath: "/members" })`,
  );

function nextApplication(version: string, guard: "proxy" | "middleware"): Application {
  return {
    packages: [`next@${version}`, "react@19.3.1", "react-dom@19.3.1"],
    files: {
      "app/inspect/[[...path]]/route.js": recipe("next.js"),
      "app/tools/inspect/[[...path]]/route.js": prefixed(recipe("next.js")).replace(
        "../../../",
        "../../../../",
      ),
      "app/members/[[...path]]/route.js": withAccess(recipe("next.js")),
      "app/chat/route.js": `import { chat } from "../../chat.mjs"; export const POST = async () => Response.json(await chat());`,
      "next.config.mjs": recipe("next.config.mjs"),
      [`${guard}.js`]: replaceOnce(recipe("next-guard.js"), "const proxy", `const ${guard}`),
      "app/layout.js": "export default ({ children }) => <html><body>{children}</body></html>;",
      "app/page.js": `export default () => "the host";`,
    },
    build: ["next", "build"],
    start: ["next", "start"],
  };
}

/** One file; its application serves the other mounts. */
function oneFile(name: string): string {
  const own = recipe(name);
  const shared = own.split("\n").slice(0, 2).join("\n");
  return `import process from "node:process";
    import { isAllowed } from "./is-allowed.mjs";
    import { chat } from "./chat.mjs";
    import { members } from "./histories.mjs";
    const port = Number(process.env.PORT);
    const app = async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/chat") return Response.json(await chat());
      if (pathname.startsWith("/tools/inspect")) return tools.fetch(request);
      if (pathname.startsWith("/members")) return forMembers.fetch(request);
      return new Response("the host", { status: pathname === "/" ? 200 : 404 });
    };
    ${shared}
    const tools = mountInspector({ source, access, basePath: "/tools/inspect" });
    const forMembers = mountInspector({ source, access: members, basePath: "/members" });
    ${recipe("fetch-guard")}
    ${own
      .split("\n")
      .slice(2)
      .join("\n")
      .replaceAll(/inspector\.fetch(?!:)/g, "guarded")}`;
}

const STORED = `
  const of = (type, text) => ({
    id: "e0", timestamp: "2026-01-01T00:00:00.000Z", sequence: 0, source: "runtime",
    sessionId: "s1", tenantId: "acme", traceId: "t1", event: { type, text },
  });
  export const stored = {
    listSessions: async () => [{ tenantId: "acme", sessionId: "s1", title: "A title", lastActive: "2026-01-01T00:00:00.000Z" }],
    loadTraceEnvelopes: async () => [of("text", "a needle")],
    loadOrchestrationEvents: async () => [],
    loadOrchestrationState: async () => null,
    loadMessages: async () => [],
  };`;

const WORKER = () =>
  replaceOnce(
    recipe("worker.mjs"),
    "export default app;",
    `app.route("/tools" + INSPECTOR_PATH, createInspectorRoute(source));
     const members = (c) => (c.req.header("cookie") === "token=let-me-in" ? { tenants: "all" } : c.text("Who are you?", 401));
     app.route("/members" + INSPECTOR_PATH, createInspectorRoute(source, { access: members }));
     export default app;`,
  );

const MINIFLARE = `
  import { Miniflare } from "miniflare";
  const assets = { directory: "public", binding: "ASSETS", routerConfig: { has_user_worker: true } };
  const port = Number(process.env.PORT);
  new Miniflare({ modules: true, scriptPath: "out.mjs", host: "127.0.0.1", port, compatibilityDate: "2026-01-01", assets });`;

/** Their packages are installed for the test: the soak runs them. */
export const SOAK: Readonly<Record<string, Application>> = {
  "Next.js 15": nextApplication("15.5.29", "middleware"),
  "Next.js 16": nextApplication("16.4.6", "proxy"),
  "SvelteKit 2": {
    packages: [
      ...["@sveltejs/kit@2.70.4", "@sveltejs/adapter-node@5.5.7", "@sveltejs/vite-plugin-svelte@6.2.4"],
      ...["svelte@5.57.3", "vite@7.3.8"],
    ],
    files: {
      "src/routes/inspect/[...path]/+server.js": recipe("sveltekit.js"),
      "src/routes/tools/inspect/[...path]/+server.js": prefixed(recipe("sveltekit.js")),
      "src/routes/members/[...path]/+server.js": withAccess(recipe("sveltekit.js")),
      "src/routes/chat/+server.js": `import { chat } from "$lib/server/chat.mjs";
        export const POST = async () => Response.json(await chat());`,
      "src/hooks.server.js": recipe("sveltekit-guard.js"),
      "src/lib/server/histories.mjs": recipe("histories.mjs") + MEMBERS,
      "src/lib/server/chat.mjs": recipe("chat.mjs"),
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
  "Nuxt 4": {
    packages: ["nuxt@4.4.5"],
    files: {
      "server/middleware/1.guard.js": recipe("nuxt-guard.js"),
      "server/middleware/2.inspector.js": recipe("nuxt.js"),
      "server/middleware/3.tools.js": prefixed(recipe("nuxt.js")),
      "server/middleware/4.members.js": withAccess(recipe("nuxt.js")),
      "server/routes/chat.post.js": `import { chat } from "../../chat.mjs"; export default defineEventHandler(() => chat());`,
      "nuxt.config.mjs": "export default defineNuxtConfig({ telemetry: false });",
      "app/app.vue": "<template>the host</template>",
    },
    build: ["nuxt", "build"],
    start: ["node", ".output/server/index.mjs"],
  },
  Bun: {
    packages: ["bun@1.4.5"],
    files: { "host.mjs": oneFile("bun") },
    start: ["bun", "run", "host.mjs"],
  },
  Deno: {
    packages: ["deno@2.9.6"],
    files: { "host.mjs": oneFile("deno") },
    start: ["deno", "run", "--allow-all", "--node-modules-dir=manual", "host.mjs"],
  },
  "Cloudflare Workers": {
    packages: ["miniflare@4.20260415.0", "esbuild@0.28.2"],
    files: { "worker.mjs": WORKER(), "stored.mjs": STORED, "host.mjs": MINIFLARE },
    build: [
      "esbuild",
      ...[
        "worker.mjs",
        "--bundle",
        "--format=esm",
        "--conditions=workerd",
        "--outfile=out.mjs",
        "--log-level=error",
      ],
    ],
    start: ["node", "host.mjs"],
    pages: { open: "", guarded: "/members", prefixed: "/tools", access: "/members" },
    isEdge: true,
  },
};

export interface StartedApplication {
  at(mount: Mount): Mounted;
  stop(): Promise<void>;
}

/** @returns the name of a package that npm could not install here */
export async function startApplication(name: string): Promise<StartedApplication | string> {
  const { packages, files, build, start, pages = PAGES, isEdge = false } = SOAK[name]!;
  const folder = await mkdtemp(path.join(tmpdir(), "agent-inspector-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const modules = await installed(folder, [packedInto(folder), `hono@${HONO}`, ...packages]);
  const command = (named: string) =>
    named === "node" ? process.execPath : path.join(modules, ".bin", named);
  if (!runs(command((build ?? start)[0]!))) {
    await remove();
    return packages[0]!;
  }
  const shared = { "histories.mjs": recipe("histories.mjs") + MEMBERS, "chat.mjs": recipe("chat.mjs") };
  for (const [file, text] of Object.entries({ ...shared, "is-allowed.mjs": ALLOWED_HERE, ...files })) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  await writeHistory(folder);
  if (isEdge) {
    for (const page of Object.values(pages)) {
      cpSync(path.join(PROJECT_ROOT, "dist/ui"), path.join(folder, "public", page), { recursive: true });
    }
  }
  const port = await freePort();
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    PORT: String(port),
    NEXT_TELEMETRY_DISABLED: "1",
  };
  if (build !== undefined) {
    execFileSync(command(build[0]!), build.slice(1), { cwd: folder, env, encoding: "utf8", stdio: "pipe" });
  }
  const host = spawn(command(start[0]!), start.slice(1), {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(host, "exit");
  const stop = async () => {
    host.kill();
    await ended;
    await remove();
  };
  try {
    await vi.waitFor(() => fetch(`http://127.0.0.1:${port}`), { timeout: 60_000, interval: 100 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { at: (mount: Mount) => ({ port, path: pages[mount], isEdge }), stop };
}
