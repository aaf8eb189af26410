import { readdirSync } from "node:fs";
import { isBuiltin } from "node:module";
import { type Import, type Module, parseModule, resolveImport } from "./imports.js";

/** A room of `src` and its imports. Anything else is forbidden. */
export interface Room {
  /** Below `src`; `""` are the entry points, the files of `src` itself. */
  readonly folder: string;
  /** Folders below `src`, and files without extension. A room may always import from itself. */
  readonly imports: readonly string[];
  /** `"*"` is any. */
  readonly packages: readonly string[];
  readonly node: boolean;
}

const FILES = "adapters/files";
const TRANSCRIPTS = "adapters/transcripts";
const FORMATS = "adapters/formats";
const SPANS = "adapters/spans";
const SQLITE = "adapters/sqlite";
const EXPORTED_SESSION = "adapters/exports/session";
const EXPORTED_TEXTS = "adapters/exports/texts";
const PORTS = "application/ports";

/** The table of `docs/architecture.md`. A folder outside of all rooms is an error. */
export const ROOMS: readonly Room[] = [
  room("domain", []),
  // A port does not depend on who uses it.
  room(PORTS, ["domain"]),
  room("application", ["domain"], ["diff", "lru-cache", "p-limit", "re2js"]),
  room("recording", ["application", "domain"]),
  room("client", ["domain", "application/questions/endpoints"]),
  room("demo", ["application", "domain"]),
  room("adapters/http", ["application", "domain"], ["hono"]),
  room("adapters/mcp", ["application", "domain"], ["@modelcontextprotocol/server", "p-limit"], true),
  room(
    "adapters/cli",
    ["application", "domain"],
    ["@hono/node-server", "commander", "diff", "env-paths", "hono", "jsonc-parser"],
    true,
  ),
  room("adapters/workspace", ["application/ports", "domain", FILES], [], true),
  room("adapters/memory", ["application", "domain"]),
  room("adapters/archive", ["application", "domain"]),
  room(EXPORTED_SESSION, ["application", "domain"]),
  room(EXPORTED_TEXTS, ["application", "domain", EXPORTED_SESSION], ["diff"]),
  // No format imports another one.
  room("adapters/exports/atif", ["application", "domain", EXPORTED_SESSION]),
  room("adapters/exports/otlp", ["application", "domain", EXPORTED_SESSION, SPANS]),
  room("adapters/exports/markdown", ["application", "domain", EXPORTED_SESSION, EXPORTED_TEXTS]),
  room("adapters/exports/prompt", ["application", "domain", EXPORTED_SESSION, EXPORTED_TEXTS]),
  room("adapters/archive-files", ["adapters/archive", "application", "domain"], [], true),
  room("adapters/postgres", ["application", "domain"], ["lru-cache", "pg"], true),
  room(
    "adapters/web-ui",
    [
      "domain/archive",
      "domain/options",
      "domain/filter/parse-filter",
      "domain/trace/time-zone",
      "application/ports",
      "adapters/archive",
      "adapters/archive-files",
      "adapters/http/literal-path",
    ],
    ["hono"],
    true,
  ),
  room(
    FILES,
    [
      "domain",
      "application/ports",
      "application/errors",
      "application/cached-while-same",
      "application/threads",
      "application/sources/select-sessions",
    ],
    ["fzstd", "lru-cache", "p-limit", "tinypool"],
    true,
  ),
  room("adapters/cached-edits", ["application/ports", "application/threads", "domain", FILES], [], true),
  room("adapters/keep", ["domain", "application/errors", FILES], [], true),
  room("adapters/data-directory", ["application", "domain", FILES], ["lru-cache"], true),
  room(SQLITE, ["application/errors", FILES], ["lru-cache"], true),
  room(TRANSCRIPTS, ["application", "domain", FILES], ["lru-cache"], true),
  // No format imports another one.
  ...namesOfFormats().map((format) =>
    room(
      `${FORMATS}/${format}`,
      ["domain", "application/errors", "application/cached-while-same", FILES, SQLITE, TRANSCRIPTS],
      ["lru-cache"],
      true,
    ),
  ),
  room(FORMATS, [FORMATS, TRANSCRIPTS, FILES, PORTS, "domain"], [], true),
  room(SPANS, ["domain", "recording"]),
  room("adapters/otlp", ["application", "domain", "recording", FILES, SPANS], ["lru-cache"], true),
  room("adapters/otlp-receiver", ["application", "domain", SPANS], ["hono", "p-limit", "protobufjs"], true),
  room(
    "adapters/prices",
    ["application/ports", "application/threads", "domain"],
    ["@pydantic/genai-prices", "lru-cache"],
  ),
  room(
    "adapters/redaction",
    [
      "domain/facts",
      "domain/options",
      "domain/text",
      "application/errors",
      "application/ports",
      "application/threads",
    ],
    ["@secretlint/secretlint-rule-preset-recommend", "re2js"],
    true,
  ),
  room("adapters/span-files", ["application/ports"], [], true),
  room("adapters/otel", ["domain", "recording", SPANS], ["@opentelemetry/sdk-trace-base"]),
  room(
    "adapters/frameworks",
    ["application/recording/recorded-session", "domain", "recording"],
    ["@langchain/core"],
    true,
  ),
  room("composition", ["domain", "application", "adapters", "demo"], ["*"], true),
  room("", ["domain", "application", "recording", "client", "adapters", "composition"]),
];

function namesOfFormats(): string[] {
  const folder = new URL(`../../src/${FORMATS}`, import.meta.url);
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function room(
  folder: string,
  imports: readonly string[],
  packages: readonly string[] = [],
  node = false,
): Room {
  return { folder, imports, packages, node };
}

export interface Exception {
  readonly file: string;
  readonly specifier: string;
  readonly reason: string;
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    file: "src/adapters/files/threads/thread.ts",
    specifier: "(computed)",
    reason: "a thread loads the module that its task names",
  },
  {
    file: "src/adapters/formats/load-format.ts",
    specifier: "(computed)",
    reason: "a person or an application names the module of a format",
  },
];

/**
 * @param files text by file, from the root, such as `src/domain/ids.ts`
 * @returns one line for each violation
 */
export function violationsOf(
  files: Readonly<Record<string, string>>,
  exceptions: readonly Exception[] = [],
): string[] {
  const names = new Set(Object.keys(files));
  const modules = Object.entries(files).map(([file, text]) => parseModule(file, text));
  const needed = new Set<Exception>();
  const isExcepted = (file: string, specifier: string) => {
    const exception = exceptions.find((entry) => entry.file === file && entry.specifier === specifier);
    if (exception !== undefined) needed.add(exception);
    return exception !== undefined;
  };
  const violations = modules.flatMap((module) => [
    ...module.imports
      .filter((entry) => !isAllowed(module.file, entry, names) && !isExcepted(module.file, entry.specifier))
      .map(({ specifier }) => `${module.file} may not import ${specifier}`),
    ...shapeViolations(module),
  ]);
  const unneeded = exceptions.filter((entry) => !needed.has(entry));
  return [
    ...violations,
    ...unneeded.map(({ file, specifier }) => `${file} does not need its exception for ${specifier}`),
    ...cyclesOf(modules, names),
  ];
}

function isAllowed(file: string, { specifier }: Import, files: ReadonlySet<string>): boolean {
  const room = roomOf(file);
  if (room === undefined) return false;
  if (!specifier.startsWith(".")) {
    if (isBuiltin(specifier)) return room.node;
    const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
    return room.packages.includes("*") ? name !== "(computed)" : room.packages.includes(name);
  }
  const target = resolveImport(file, specifier, files)?.replace(/^src\//, "");
  if (target === undefined) return false;
  const isOwn = room.folder !== "" && target.startsWith(`${room.folder}/`);
  return isOwn || room.imports.some((name) => target.startsWith(`${name}/`) || target === `${name}.ts`);
}

const SHARED: readonly string[] = [FILES, TRANSCRIPTS, SPANS, "application", "domain"];

/** Layers and the rooms on top of them: a file may have one of these as its only user. */
const BUILT_ON: Readonly<Record<string, readonly string[]>> = {
  domain: ["application", "domain/summary"],
  application: ["composition", "entry points"],
};

/**
 * Files of a shared room, or of a domain folder, with only one user, direct or through files of the same room: they belong to that user.
 * @param files as of `violationsOf`, with those of the page
 * @returns one line for each violation
 */
export function onlyUserViolations(files: Readonly<Record<string, string>>): string[] {
  const names = new Set(Object.keys(files));
  const importers = new Map<string, string[]>();
  for (const [file, text] of Object.entries(files).filter(([name]) => /\.tsx?$/.test(name))) {
    for (const { specifier } of parseModule(file, text).imports) {
      const target = resolveImport(file, specifier, names);
      if (target !== undefined) importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  const usersOf = (file: string) => {
    const users = new Set<string>();
    const inside = new Set([file]);
    for (const own of inside) {
      for (const importer of importers.get(own) ?? []) {
        if (sharedPartOf(importer) === sharedPartOf(file)) inside.add(importer);
        else users.add(sharedPartOf(importer));
      }
    }
    return users;
  };
  return [...names].flatMap((file) => {
    const room = file.startsWith("src/") ? sharedRoomOf(file) : undefined;
    if (room === undefined || !SHARED.includes(room)) return [];
    const [user, ...more] = usersOf(file);
    const isWrong = user !== undefined && more.length === 0 && !BUILT_ON[room]?.includes(user);
    return isWrong ? [`${file} belongs to ${user}, which alone uses it`] : [];
  });
}

/** A room, a folder of the domain and the page count as one user each. */
function sharedPartOf(file: string): string {
  if (file.startsWith("ui/")) return "the page";
  const room = sharedRoomOf(file);
  return room === "domain" ? file.split("/").slice(1, 3).join("/") : room || "entry points";
}

/** The ports are part of what the application shares. */
function sharedRoomOf(file: string): string | undefined {
  const room = roomOf(file)?.folder;
  return room === PORTS ? "application" : room;
}

function roomOf(file: string): Room | undefined {
  const inside = file.replace(/^src\//, "");
  if (!inside.includes("/")) return ROOMS.find(({ folder }) => folder === "");
  return ROOMS.find(({ folder }) => folder !== "" && inside.startsWith(`${folder}/`));
}

function shapeViolations({ file, imports, reexports, onlyReexports }: Module): string[] {
  const room = roomOf(file);
  if (room === undefined) return [`${file} is in no room`];
  if (room.folder === "")
    return onlyReexports ? [] : [`${file} is an entry point and holds more than exports`];
  const violations = reexports.map((name) => `${file} hands on ${name}: only entry points do`);
  const values = imports.filter(({ isTypeOnly }) => !isTypeOnly).map(({ specifier }) => specifier);
  const container = values.indexOf("tsyringe");
  const metadata = values.indexOf("./metadata.js");
  if (container !== -1 && values[0] !== "reflect-metadata") {
    violations.push(`${file} imports tsyringe, and its first import is not reflect-metadata`);
  }
  if (container !== -1 && (metadata === -1 || metadata > container)) {
    violations.push(`${file} imports tsyringe and not ./metadata.js before it`);
  }
  return violations;
}

/** Type imports count, because a reader follows them too. */
export function cyclesOf(modules: readonly Module[], files: ReadonlySet<string>): string[] {
  const targets = new Map(
    modules.map(({ file, imports }) => [
      file,
      imports.flatMap(({ specifier }) => resolveImport(file, specifier, files) ?? []),
    ]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const follow = (file: string, way: readonly string[]): void => {
    const at = way.indexOf(file);
    if (at !== -1) cycles.push(`a cycle: ${[...way.slice(at), file].join(" → ")}`);
    if (at !== -1 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) follow(target, [...way, file]);
    done.add(file);
  };
  for (const file of targets.keys()) follow(file, []);
  return cycles;
}
