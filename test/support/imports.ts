import path from "node:path";
import { parseSync } from "oxc-parser";

export interface Import {
  readonly specifier: string;
  readonly kind: "import" | "export" | "dynamic";
  readonly isTypeOnly: boolean;
}

export interface Module {
  /** From the root, with `/`. */
  readonly file: string;
  readonly imports: readonly Import[];
  readonly reexports: readonly string[];
  readonly onlyReexports: boolean;
}

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** By file and text: all rules read the same files. */
const known = new Map<string, Module>();

/** Includes types, `import type` and `import("…")`. */
export function parseModule(file: string, text: string): Module {
  const key = `${file}\n${text}`;
  const module = known.get(key) ?? readModule(file, text);
  known.set(key, module);
  return module;
}

function readModule(file: string, text: string): Module {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const statements = program.body as unknown as readonly Node[];
  const imports: Import[] = [];
  visit(program as unknown as Node, (node) => {
    const found = importOf(node);
    if (found !== undefined) imports.push(found);
  });
  return {
    file,
    imports,
    reexports: reexportsOf(statements),
    onlyReexports: statements.every((node) => isExport(node) && isNode(node.source)),
  };
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const element of value) visit(element, see);
  } else if (typeof value === "object" && value !== null) {
    if (isNode(value)) see(value);
    for (const field of Object.values(value)) visit(field, see);
  }
}

function importOf(node: Node): Import | undefined {
  switch (node.type) {
    case "ImportDeclaration": {
      const specifiers = node.specifiers as readonly Node[];
      const isTypeOnly =
        node.importKind === "type" ||
        (specifiers.length > 0 && specifiers.every((specifier) => specifier.importKind === "type"));
      return { specifier: textOf(node.source), kind: "import", isTypeOnly };
    }
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      if (!isNode(node.source)) return undefined;
      return { specifier: textOf(node.source), kind: "export", isTypeOnly: node.exportKind === "type" };
    case "ImportExpression":
      return { specifier: textOf(node.source), kind: "dynamic", isTypeOnly: false };
    case "TSImportType":
      return { specifier: textOf(node.source ?? node.argument), kind: "dynamic", isTypeOnly: true };
    case "TSExternalModuleReference":
      return { specifier: textOf(node.expression), kind: "import", isTypeOnly: false };
    case "CallExpression": {
      const callee = node.callee as Node;
      if (callee.type !== "Identifier" || callee.name !== "require") return undefined;
      return {
        specifier: textOf((node.arguments as readonly unknown[])[0]),
        kind: "dynamic",
        isTypeOnly: false,
      };
    }
    default:
      return undefined;
  }
}

function reexportsOf(statements: readonly Node[]): string[] {
  const imported = new Set<unknown>();
  const names: string[] = [];
  for (const node of statements) {
    if (node.type === "ImportDeclaration") {
      for (const specifier of node.specifiers as readonly Node[])
        imported.add((specifier.local as Node).name);
    }
  }
  for (const node of statements) {
    if (!isExport(node)) continue;
    if (isNode(node.source)) names.push(textOf(node.source));
    for (const specifier of (node.specifiers ?? []) as readonly Node[]) {
      const local = (specifier.local as Node).name;
      if (!isNode(node.source) && imported.has(local)) names.push(String(local));
    }
  }
  return names;
}

function isExport(node: Node): boolean {
  return node.type === "ExportNamedDeclaration" || node.type === "ExportAllDeclaration";
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** The text of a string literal; a placeholder for a computed one. */
function textOf(source: unknown): string {
  const literal = isNode(source) && isNode(source.literal) ? source.literal : source;
  return isNode(literal) && typeof literal.value === "string" ? literal.value : "(computed)";
}

/** From the root; `undefined` for packages and for missing files. */
export function resolveImport(
  from: string,
  specifier: string,
  files: ReadonlySet<string>,
): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const target = path.posix.join(path.posix.dirname(from), specifier);
  const sources = target.endsWith(".js") ? [".ts", ".tsx"].map((end) => target.replace(/\.js$/, end)) : [];
  return [...sources, target].find((file) => files.has(file));
}
