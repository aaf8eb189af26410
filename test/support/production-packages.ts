import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { PROJECT_ROOT } from "./build.js";

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Packages of `npm install agent-inspector` by the lockfile, as folders of this project. */
export async function productionPackages(): Promise<readonly string[]> {
  const text = await readFile(path.join(PROJECT_ROOT, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, LockedPackage>> };
  const found = new Set<string>();
  const visit = (from: string) => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = packages[from]!;
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...Object.keys(dependencies ?? {}), ...peers]) {
      const place = nearest(from, name);
      if (found.has(place)) continue;
      found.add(place);
      visit(place);
    }
  };
  const nearest = (from: string, name: string): string => {
    const place = path.posix.join(from, "node_modules", name);
    if (place in packages) return place;
    if (from === "") throw new Error(`The lockfile has no ${name}`);
    return nearest(from.slice(0, Math.max(from.lastIndexOf("/node_modules/"), 0)), name);
  };
  visit("");
  return [...found];
}

/** Links only the packages that `npm install agent-inspector` would install. */
export async function installInto(folder: string): Promise<void> {
  const modules = path.join(folder, "node_modules");
  const self = path.join(modules, "agent-inspector");
  await mkdir(self, { recursive: true });
  for (const name of ["dist", "package.json"]) {
    await cp(path.join(PROJECT_ROOT, name), path.join(self, name), { recursive: true });
  }
  for (const place of await productionPackages()) {
    const link = path.join(folder, place);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(PROJECT_ROOT, place), link);
  }
}
