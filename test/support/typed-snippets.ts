import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { PROJECT_ROOT } from "./build.js";
import { temporaryFolder } from "./data-directory.js";
import { linkPackages } from "./snippets.js";

const PACKAGES = [
  ...["hono", "@hono/node-server", "vitest", "node-sqlite3-wasm"],
  ...["ai=ai-7", "@openai/agents", "openai", "@anthropic-ai/sdk", "@langchain/core", "@langchain/langgraph"],
  ...["@opentelemetry/api", "@opentelemetry/sdk-trace-node", "@opentelemetry/sdk-trace-base"],
  ...["@types/node"],
];

/** Files that the documents expect of the reader. */
const OWN: Readonly<Record<string, string>> = {
  "recording/recorder.d.ts": 'declare const recorder: import("agent-inspector/recording").SessionRecorder;',
  "frameworks/model.mts": "export declare const model: any;",
  "frameworks/graph.mts": "export declare const graph: any;",
  "frameworks/guard.mts": 'export declare const guard: import("hono").MiddlewareHandler;',
  "frameworks/tools.mts": "export declare const callTool: any, conversation: any, tools: any;",
  "embedding/mounted.mts":
    'import { mountInspector } from "agent-inspector"; import { access, source } from "./histories.mjs"; mountInspector({ access, source });',
  "embedding/stored.mts": 'export declare const stored: import("agent-inspector").InspectorDataSource;',
};

/** Snippets that do not compile here, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "frameworks/mastra.mts": "Mastra is 132 MB",
  "frameworks/ai-sdk-6.mts": "there is one version of `ai` in a folder",
  "bundling/lambda.mts": "the types of its events are a package of their own",
  ...Object.fromEntries(
    ["next", "next-guard", "sveltekit", "sveltekit-guard", "nuxt", "nuxt-guard"].map((name) => [
      `embedding/${name}.mts`,
      "the types are those that the framework generates",
    ]),
  ),
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

/** Module settings of the README. */
const RESOLUTIONS = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
} as const;

const SNIPPET = /(?:<!-- snippet: (\S+) -->\n)?^```(\w+)\n([\s\S]*?)^```/gm;
const CODE = ["js", "ts", "javascript", "typescript", "jsx", "tsx", "mjs", "mts"];

export type Resolution = keyof typeof RESOLUTIONS;

/** Documents with fragments for a reader's own files; complete files have a name. Other tests run the fragments. */
const WITH_FRAGMENTS = ["docs/embedding.md", "docs/bundling.md"];

export async function allDocuments(): Promise<readonly string[]> {
  const documents = (await readdir(path.join(PROJECT_ROOT, "docs"))).filter((name) => name.endsWith(".md"));
  return ["README.md", ...documents.map((name) => `docs/${name}`)];
}

export async function folderWithPackages(): Promise<string> {
  const folder = await temporaryFolder();
  await linkPackages(folder, PACKAGES);
  await writeFile(path.join(folder, "package.json"), '{"private":true,"type":"module"}');
  return folder;
}

/**
 * Writes each snippet of JavaScript or TypeScript into a file, with a folder for each document.
 * @returns the number of snippets
 */
export async function pasteSnippets(folder: string, documents: readonly string[]): Promise<number> {
  const folders = documents.map((document) => path.basename(document, ".md"));
  const files = new Map(Object.entries(OWN).filter(([place]) => folders.includes(path.dirname(place))));
  let snippets = 0;
  for (const [i, document] of documents.entries()) {
    const text = await readFile(path.join(PROJECT_ROOT, document), "utf8");
    for (const [, name, language = "", code = ""] of text.matchAll(SNIPPET)) {
      if (!CODE.includes(language) || name?.endsWith(".cjs")) continue;
      if (WITH_FRAGMENTS.includes(documents[i] ?? "") && !/\.m?[jt]s$/.test(name ?? "")) continue;
      snippets += 1;
      const file = (name ?? `unnamed-${snippets}.js`).replace(/\.m?[jt]s$/, ".mts");
      const place = `${folders[i]}/${file}`;
      // `export {}` makes each file a module, so declarations stay separate.
      if (!(place in LEFT_OUT)) files.set(place, `${code}\nexport {};\n`);
    }
  }
  for (const [place, code] of files) {
    await mkdir(path.dirname(path.join(folder, place)), { recursive: true });
    await writeFile(path.join(folder, place), code);
  }
  return snippets;
}

export async function compileStrictly(
  folder: string,
  resolution: Resolution,
  compiler = path.join(PROJECT_ROOT, "node_modules/typescript/bin/tsc"),
): Promise<readonly string[]> {
  const compilerOptions = { ...STRICT, ...RESOLUTIONS[resolution] };
  const config = JSON.stringify({ compilerOptions, include: ["**/*.mts", "**/*.d.ts"] });
  await writeFile(path.join(folder, "tsconfig.snippets.json"), config);
  const args = [compiler, "-p", "tsconfig.snippets.json"];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  return stdout.split("\n").filter((line) => /^\S/.test(line)); // without the lines that explain them
}
