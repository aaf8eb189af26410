import { CUT_OFF, type JsonObject, MOST_LEVELS } from "../../domain/json/json.js";

/**
 * Entries of a list that is spread over attributes, as OpenInference and older OpenLLMetry write it. Indexes may begin at 1 and have
 * gaps; too deep paths are cut off.
 * @example indexedAttributes({ "m.0.role": "user", "m.0.parts.0.text": "Hi" }, "m") // [{ role: "user", parts: [{ text: "Hi" }] }]
 */
export function indexedAttributes(attributes: JsonObject, name: string): readonly unknown[] {
  const start = `${name}.`;
  const root: Branch = new Map();
  for (const key of Object.keys(attributes)) {
    if (!key.startsWith(start)) continue;
    const path = key.slice(start.length).split(".");
    if (!INDEX.test(path[0]!)) continue;
    grow(root, path, attributes[key]);
  }
  if (root.size === 0) return [];
  const list = toJson(root);
  return Array.isArray(list) ? list : [];
}

type Branch = Map<string, Branch | Leaf>;

interface Leaf {
  readonly value: unknown;
}

const INDEX = /^\d{1,6}$/;

function grow(root: Branch, path: readonly string[], value: unknown): void {
  let branch = root;
  for (const [i, name] of path.entries()) {
    const isLast = i === path.length - 1;
    if (isLast || i === MOST_LEVELS) {
      if (!(branch.get(name) instanceof Map)) branch.set(name, { value: isLast ? value : CUT_OFF });
      return;
    }
    const existing = branch.get(name);
    const next: Branch = existing instanceof Map ? existing : new Map();
    branch.set(name, next);
    branch = next;
  }
}

function toJson(node: Branch | Leaf): unknown {
  if (!(node instanceof Map)) return node.value;
  const entries = [...node];
  if (entries.length === 0 || !entries.every(([name]) => INDEX.test(name)))
    return Object.fromEntries(entries.map(([name, child]) => [name, toJson(child)]));
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, child]) => toJson(child));
}
