import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { PROJECT_ROOT } from "./build.js";
import { temporaryFolder } from "./data-directory.js";
import { linkPackages } from "./snippets.js";

/** What the snippets name, as a reader has installed it. */
const PACKAGES = [
  ...["hono", "@hono/node-server", "vitest", "node-sqlite3-wasm"],
  ...["ai=ai-7", "@openai/agents", "openai", "@anthropic-ai/sdk", "@langchain/core", "@langchain/langgraph"],
  ...["@opentelemetry/api", "@opentelemetry/sdk-trace-node", "@opentelemetry/sdk-trace-base"],
  ...["@types/node"],
];

/** Files that the documents call the reader's own. */
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

/** What cannot be compiled here, and why. */
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

/** The settings for modules that the README names. */
const RESOLUTIONS = {
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
} as const;

const SNIPPET = /(?:<!-- snippet: (\S+) -->\n)?^```(\w+)\n([\s\S]*?)^```/gm;
const CODE = ["js", "ts", "javascript", "typescript", "jsx", "tsx", "mjs", "mts"];

export type Resolution = keyof typeof RESOLUTIONS;

/** Documents with fragments of a reader's own files beside complete files, which have a name. Tests of their own run the fragments. */
const WITH_FRAGMENTS = ["docs/embedding.md", "docs/bundling.md"];

/** The README, and every document. */
export async function allDocuments(): Promise<readonly string[]> {
  const documents = (await readdir(path.join(PROJECT_ROOT, "docs"))).filter((name) => name.endsWith(".md"));
  return ["README.md", ...documents.map((name) => `docs/${name}`)];
}

/** A folder in which all packages that the snippets name are installed. */
export async function folderWithPackages(): Promise<string> {
  const folder = await temporaryFolder();
  await linkPackages(folder, PACKAGES);
  await writeFile(path.join(folder, "package.json"), '{"private":true,"type":"module"}');
  return folder;
}

/**
 * Pastes every snippet of JavaScript or TypeScript of some documents into a file of TypeScript, a folder for each document.
 *
 * @returns how many there are
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
      // Nothing that one file declares is seen in another.
      if (!(place in LEFT_OUT)) files.set(place, `${code}\nexport {};\n`);
    }
  }
  for (const [place, code] of files) {
    await mkdir(path.dirname(path.join(folder, place)), { recursive: true });
    await writeFile(path.join(folder, place), code);
  }
  return snippets;
}

/** What a compiler says of them, as strictly as it can. */
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
