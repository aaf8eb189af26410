import { parseSync } from "oxc-parser";

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Always mutable. */
const CACHES = new Set(["LRUCache", "CachedWhileSame", "FileKeys"]);

/** Mutable only where code calls a mutating method or assigns a member. */
const CONTAINERS = new Set(["Map", "Set", "WeakMap", "WeakSet", "Array"]);
const CHANGES = new Set(["set", "add", "delete", "clear", "push", "pop", "shift", "unshift", "splice"]);

/** Names of a module whose value may differ after a call: `let`, caches, and mutable containers. */
export function moduleStateOf(file: string, text: string): string[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const statements = program.body as unknown as readonly Node[];
  const changed = changedNames(program);
  return statements
    .map((node) => (node.type === "ExportNamedDeclaration" ? (node.declaration as Node | null) : node))
    .filter((node) => node?.type === "VariableDeclaration")
    .flatMap((declaration) =>
      (declaration!.declarations as readonly Node[])
        .filter(({ id, init }) => {
          const { name } = id as Node;
          if (declaration!.kind !== "const" || CACHES.has(classOf(init))) return true;
          return CONTAINERS.has(classOf(init)) && changed.has(String(name));
        })
        .map(({ id }) => String((id as Node).name)),
    );
}

function classOf(init: unknown): string {
  const { type, callee } = (init ?? { type: "" }) as Node;
  if (type === "ArrayExpression" || type === "ObjectExpression") return "Array";
  return type === "NewExpression" ? String((callee as Node).name) : "";
}

function changedNames(value: unknown, into = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const element of value) changedNames(element, into);
  else if (typeof value === "object" && value !== null) {
    const { type, callee, left } = value as Node;
    const target = (type === "CallExpression" ? callee : left) as Node | undefined;
    if (target?.type === "MemberExpression") {
      const { object, property } = target as unknown as { object: Node; property: Node };
      const isChange = type === "AssignmentExpression" || CHANGES.has(String(property.name));
      if (object.type === "Identifier" && isChange) into.add(String(object.name));
    }
    for (const field of Object.values(value)) changedNames(field, into);
  }
  return into;
}
