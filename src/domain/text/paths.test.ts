import { describe, expect, it } from "vitest";
import { nameStart, relativePath, shortPath, withoutDirectory } from "./paths.js";

describe("a path read from a folder", () => {
  const cases: readonly (readonly [path: string, directory: string, read: string])[] = [
    ["/home/ada/shop/src/a.ts", "/home/ada/shop", "src/a.ts"],
    ["/home/ada/shop/src/a.ts", "/home/ada/shop/", "src/a.ts"],
    ["/home/ada/shop", "/home/ada/shop", "."],
    ["/home/ada/shop/", "/home/ada/shop", "."],
    ["/home/ada/shop-2/a.ts", "/home/ada/shop", "/home/ada/shop-2/a.ts"],
    ["/etc/hosts", "/home/ada/shop", "/etc/hosts"],
    ["src/a.ts", "/home/ada/shop", "src/a.ts"],
    ["/home/ada/shop/a.ts", "", "/home/ada/shop/a.ts"],
    ["/a.ts", "/", "/a.ts"],
    ["C:\\Users\\ada\\shop\\src\\a.ts", "c:\\users\\ada\\shop", "src\\a.ts"],
    ["C:/Users/ada/shop/src/a.ts", "C:\\Users\\ada\\shop\\", "src/a.ts"],
    ["D:\\shop\\a.ts", "C:\\shop", "D:\\shop\\a.ts"],
    ["/Home/Ada/a.ts", "/home/ada", "/Home/Ada/a.ts"],
  ];
  for (const [path, directory, read] of cases) {
    it(`is ${read} for ${path} in ${directory || "an unknown folder"}`, () => {
      expect(relativePath(path, directory)).toBe(read);
    });
  }
});

describe("a path that has to be short", () => {
  const path = "/home/ada/projects/shop/src/cart/total.ts";

  it("is whole where there is room for it", () => expect(shortPath(path, path.length)).toBe(path));

  it("keeps its first folder and its last ones", () => {
    expect(shortPath(path, path.length - 1)).toBe("/home/…/projects/shop/src/cart/total.ts");
    expect(shortPath(path, 24)).toBe("/home/…/cart/total.ts");
    expect(shortPath("C:\\Users\\ada\\projects\\shop\\total.ts", 24)).toBe("C:\\…\\shop\\total.ts");
    expect(shortPath("src/deep/deeper/deepest/total.ts", 24)).toBe("src/…/deepest/total.ts");
  });

  it("keeps the name of the file, however little room there is", () => {
    expect(shortPath(path, 5)).toBe("…/total.ts");
    expect(shortPath("a-very-long-name.ts", 5)).toBe("a-very-long-name.ts");
    const name = `${"n".repeat(300)}.ts`;
    expect(shortPath(`/home/ada/${name}`, 60)).toBe(`…/${name}`);
  });

  it("is never longer than the room, but for its name", () => {
    for (let room = 12; room <= path.length; room++) {
      const short = shortPath(path, room);
      expect(short.length).toBeLessThanOrEqual(room);
      expect(short.endsWith("/total.ts")).toBe(true);
    }
  });

  it("tells where its name begins", () => {
    expect(path.slice(nameStart(path))).toBe("total.ts");
    expect(nameStart("total.ts")).toBe(0);
    expect(nameStart("src/cart/")).toBe("src/".length);
    expect(nameStart("src\\cart\\total.ts")).toBe("src\\cart\\".length);
    expect(nameStart("/")).toBe(0);
  });
});

describe("a command with paths of a folder", () => {
  it("reads from there", () => {
    expect(withoutDirectory("diff /shop/a.ts '/shop/b c.ts'", "/shop")).toBe("diff a.ts 'b c.ts'");
    expect(withoutDirectory("C:\\shop\\run.cmd", "C:\\shop")).toBe("run.cmd");
  });

  it("keeps other folders, and the folder itself", () => {
    for (const command of ["ls /shop", "ls /shop/", "ls /shop-2/a", "ls /my/shop/a", "ls ~/shop/a"]) {
      expect(withoutDirectory(command, "/shop")).toBe(command);
    }
    expect(withoutDirectory("ls /shop/a", "")).toBe("ls /shop/a");
    expect(withoutDirectory("ls /shop/a", "/")).toBe("ls /shop/a");
  });
});
