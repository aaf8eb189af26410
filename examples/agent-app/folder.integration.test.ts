import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Folder } from "./folder.js";

let root: string;
let folder: Folder;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "folder-test-"));
  const inside = path.join(root, "inside");
  await mkdir(path.join(inside, "sub"), { recursive: true });
  await mkdir(path.join(root, "inside-not"));
  await writeFile(path.join(root, "inside-not/secret.txt"), "secret");
  await writeFile(path.join(inside, "sub/a.txt"), "one\ntwo\n");
  await writeFile(path.join(inside, "..b.txt"), "two dots");
  await symlink("../inside-not", path.join(inside, "linked"));
  folder = new Folder(inside);
});

afterEach(() => rm(root, { recursive: true, force: true }));

it("lists, reads and searches what is inside", async () => {
  expect(await folder.list(".")).toEqual(["..b.txt", "linked", "sub/"]);
  expect(await folder.read("sub/a.txt")).toBe("one\ntwo\n");
  expect(await folder.read("..b.txt")).toBe("two dots");
  expect(await folder.search("two")).toEqual(["..b.txt:1: two dots", "sub/a.txt:2: two"]);
});

it.each([
  "../inside-not/secret.txt",
  "sub/../../inside-not/secret.txt",
  "linked/secret.txt",
  "/etc/hosts",
  "..",
])("does not read %s", async (outside) => {
  await expect(folder.read(outside)).rejects.toThrow("is outside of the folder");
});

it("does not list or search through a link that leads outside", async () => {
  await expect(folder.list("linked")).rejects.toThrow("is outside of the folder");
  expect(await folder.search("secret")).toEqual([]);
});

it("says that a file is missing", async () => {
  await expect(folder.read("sub/b.txt")).rejects.toThrow('There is no "sub/b.txt".');
});
