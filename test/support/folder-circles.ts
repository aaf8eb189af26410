import { parseModule, resolveImport } from "./imports.js";

/** An import of one folder by its neighbour that closes a circle and is tolerated. Paths from the root. */
export interface FolderImport {
  readonly from: string;
  readonly to: string;
}

/** Imports that may close a circle. */
export const FOLDER_EXCEPTIONS: readonly FolderImport[] = [];

/** The files and folders of one folder: which imports which. */
type Graph = Map<string, Set<string>>;

/**
 * Finds neighbours in one folder that reach each other through imports, imports of types included. A file beside the folders is a node of
 * its own, so that the check sees a circle through it.
 *
 * @param files text by file, from the root
 * @param exceptions imports to ignore
 * @returns the violations, a line each; a line also for an exception that closes no circle
 */
export function folderCircleViolations(
  files: Readonly<Record<string, string>>,
  exceptions: readonly FolderImport[] = [],
): string[] {
  const graphs = graphsOf(files);
  const needed = exceptions.filter(({ from, to }) => {
    const graph = graphs.get(parentOf(from));
    return graph?.get(from)?.has(to) === true && reachableFrom(to, graph).has(from);
  });
  for (const { from, to } of needed) graphs.get(parentOf(from))?.get(from)?.delete(to);
  const circles = [...graphs.values()].flatMap((graph) => circlesOf(graph, files));
  return [
    ...circles.map((circle) => `folders reach each other: ${circle.join(", ")}`),
    ...exceptions
      .filter((entry) => !needed.includes(entry))
      .map(({ from, to }) => `${from} does not need its exception for ${to}`),
  ];
}

/** Each import belongs to the innermost folder that holds both of its ends. */
function graphsOf(files: Readonly<Record<string, string>>): Map<string, Graph> {
  const names = new Set(Object.keys(files));
  const graphs = new Map<string, Graph>();
  for (const [file, text] of Object.entries(files).filter(([name]) => /\.tsx?$/.test(name))) {
    for (const { specifier } of parseModule(file, text).imports) {
      const target = resolveImport(file, specifier, names);
      if (target === undefined || target === file) continue;
      const [ownPath, otherPath] = [file.split("/"), target.split("/")];
      const depth = ownPath.findIndex((part, at) => part !== otherPath[at]);
      const parent = ownPath.slice(0, depth).join("/");
      const from = ownPath.slice(0, depth + 1).join("/");
      const to = otherPath.slice(0, depth + 1).join("/");
      const graph = graphs.get(parent) ?? new Map<string, Set<string>>();
      graphs.set(parent, graph);
      graph.set(from, (graph.get(from) ?? new Set()).add(to));
    }
  }
  return graphs;
}

/** The largest sets of at least two folders that all reach each other. */
function circlesOf(graph: Graph, files: Readonly<Record<string, string>>): string[][] {
  const folders = [...graph.keys()].filter((name) => !(name in files)).sort();
  const reached = new Map(folders.map((name) => [name, reachableFrom(name, graph)]));
  const circles = folders.map((name) =>
    folders.filter(
      (other) => other === name || (reached.get(name)!.has(other) && reached.get(other)!.has(name)),
    ),
  );
  return circles.filter((circle, at) => circle.length > 1 && circle[0] === folders[at]);
}

function reachableFrom(start: string, graph: Graph): Set<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    for (const next of graph.get(name) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      waiting.push(next);
    }
  }
  return reached;
}

function parentOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/"));
}
