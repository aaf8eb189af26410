import { cyclesOf } from "./architecture.js";
import { type Module, parseModule, resolveImport } from "./imports.js";

export interface PageFolder {
  readonly folders: readonly string[];
  /** `"*"` is any: only for folders that render. */
  readonly packages: readonly string[];
  /** Imports of `src` beside `SERVICE`. */
  readonly service?: readonly string[];
}

const ENTRY = "main.ts";

/** Every folder of the page may import `SERVICE`; nothing else of `src`. */
export const PAGE_FOLDERS: Readonly<Record<string, PageFolder>> = {
  model: { folders: ["model"], packages: ["diff"] },
  api: { folders: ["model", "api"], packages: [] },
  engine: { folders: ["model", "api", "engine"], packages: [] },
  strings: { folders: ["strings"], packages: [] },
  styles: { folders: ["styles"], packages: [] },
  app: { folders: ["model", "api", "engine", "app"], packages: ["*"] },
  views: { folders: ["model", "api", "engine", "app", "strings", "styles", "views"], packages: ["*"] },
  /** The page in one file, with the service inside it. */
  standalone: {
    folders: ["model", "api", "engine", "app", "strings", "views", "standalone"],
    packages: [],
    service: [
      "src/adapters/archive/",
      "src/adapters/prices/own-prices.ts",
      "src/composition/edge-inspector.ts",
    ],
  },
  [ENTRY]: { folders: ["model", "api", "engine", "app", "views"], packages: [] },
};

/** The page shares the domain with the service, and the types of the table of the API. */
const SERVICE = ["src/domain/", "src/application/questions/endpoints.ts"];
const PAGE = "ui/src/";

/**
 * Also finds cycles of imports, with type imports.
 * @param files text by file, from the root: all of `ui/src` but its tests, and the imports from `src`
 * @returns one line for each violation
 */
export function pageViolationsOf(files: Readonly<Record<string, string>>): string[] {
  const names = new Set(Object.keys(files));
  const modules = Object.entries(files)
    .filter(([file]) => file.startsWith(PAGE) && /\.tsx?$/.test(file))
    .map(([file, text]) => parseModule(file, text));
  return [...modules.flatMap((module) => importViolations(module, names)), ...cyclesOf(modules, names)];
}

function importViolations({ file, imports, reexports }: Module, files: ReadonlySet<string>): string[] {
  const rule = PAGE_FOLDERS[folderOf(file)];
  if (rule === undefined) return [`${file} is in no folder of the table`];
  return [
    ...imports
      .filter(({ specifier }) => !isAllowed(file, specifier, rule, files))
      .map(({ specifier }) => `${file} may not import ${specifier}`),
    ...reexports.map((name) => `${file} hands on ${name}`),
  ];
}

function isAllowed(file: string, specifier: string, rule: PageFolder, files: ReadonlySet<string>): boolean {
  if (!specifier.startsWith(".")) {
    return !specifier.startsWith("node:") && rule.packages.some((name) => name === "*" || name === specifier);
  }
  const target = resolveImport(file, specifier, files);
  if (target === undefined) return false;
  return (
    [...SERVICE, ...(rule.service ?? [])].some((shared) => target.startsWith(shared)) ||
    (target.startsWith(PAGE) && rule.folders.includes(folderOf(target)))
  );
}

function folderOf(file: string): string {
  return file.slice(PAGE.length).split("/")[0]!;
}
