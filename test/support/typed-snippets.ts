import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { PROJECT_ROOT } from "./build.js";
import { temporaryFolder } from "./data-directory.js";
import { linkPackages } from "./snippets.js";

/** What the snippets name, as a reader has installed it. */
const PACKAGES = [
  ...["hono", "@hono/node-server", "vitest", "node-sqlite3-wasm", "express", "fastify", "koa"],
  ...["ai=ai-7", "@openai/agents", "@langchain/core", "@langchain/langgraph"],
  ...["@opentelemetry/api", "@opentelemetry/sdk-trace-node", "@opentelemetry/sdk-trace-base"],
  ...["@types/node", "@types/express", "@types/koa"],
];

/** Files that the documents call the reader's own, and what other runtimes declare. */
const OWN: Readonly<Record<string, string>> = {
  "frameworks/model.mts": "export declare const model: any;",
  "frameworks/graph.mts": "export declare const graph: any;",
  "frameworks/guard.mts": 'export declare const guard: import("hono").MiddlewareHandler;',
  "embedding/runtimes.d.ts":
    "declare const Bun: { serve(options: { port: number; fetch(request: Request): unknown }): unknown };\n" +
    "declare const Deno: { env: { get(name: string): string | undefined }; serve(options: object, handler: (request: Request) => Response | Promise<Response>): unknown };",
};

/** Where a snippet lies that a document has the reader put elsewhere. */
const PLACES: Readonly<Record<string, string>> = {
  "embedding/route.mts": "embedding/app/inspect/path/route.mts",
};

/** What cannot be compiled here, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "frameworks/mastra.mts": "Mastra is 132 MB",
  "frameworks/ai-sdk-6.mts": "there is one version of `ai` in a folder",
};

const STRICT = {
  target: "es2023",
  lib: ["es2023"],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  types: ["node"],
};

/** The settings for modules that the README names. */
export const RESOLUTIONS = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
} as const;

const SNIPPET = /(?:<!-- snippet: (\S+) -->\n)?^```(\w+)\n([\s\S]*?)^```/gm;
const CODE = ["js", "ts", "javascript", "typescript", "jsx", "tsx", "mjs", "mts"];

/**
 * Pastes every snippet of JavaScript or TypeScript of the README and the documents into a file of TypeScript, and compiles them.
 *
 * @returns how many there are, and what the compiler says of them
 */
export async function compileSnippets(
  resolution: keyof typeof RESOLUTIONS,
): Promise<{ readonly snippets: number; readonly errors: readonly string[] }> {
  const folder = await temporaryFolder();
  const files = new Map(Object.entries(OWN));
  const documents = (await readdir(path.join(PROJECT_ROOT, "docs"))).filter((name) => name.endsWith(".md"));
  let snippets = 0;
  for (const document of ["README.md", ...documents.map((name) => `docs/${name}`)]) {
    const text = await readFile(path.join(PROJECT_ROOT, document), "utf8");
    for (const [, name, language = "", code = ""] of text.matchAll(SNIPPET)) {
      if (!CODE.includes(language) || name?.endsWith(".cjs")) continue;
      snippets += 1;
      const file = (name ?? `unnamed-${snippets}.js`).replace(/\.m?[jt]s$/, ".mts");
      const place = `${path.basename(document, ".md")}/${file}`;
      // Nothing that one file declares is seen in another.
      if (!(place in LEFT_OUT)) files.set(PLACES[place] ?? place, `${code}\nexport {};\n`);
    }
  }
  for (const [place, code] of files) {
    await mkdir(path.dirname(path.join(folder, place)), { recursive: true });
    await writeFile(path.join(folder, place), code);
  }
  await linkPackages(folder, PACKAGES);
  await writeFile(path.join(folder, "package.json"), '{"private":true,"type":"module"}');
  const compilerOptions = { ...STRICT, ...RESOLUTIONS[resolution] };
  await writeFile(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["**/*.mts", "**/*.d.ts"] }),
  );
  const compiler = path.join(PROJECT_ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", "."], { cwd: folder, encoding: "utf8" });
  const errors = stdout.split("\n").filter((line) => /^\S/.test(line)); // without the lines that explain them
  return { snippets, errors };
}
