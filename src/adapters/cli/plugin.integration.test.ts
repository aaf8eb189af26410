import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { homeFolder, run } from "../../../test/support/command-line.js";

const FORMAT = (id: string, more = "") => `{
  id: "${id}",
  label: "Quill",
  files: { ending: ".quill", session: ({ quill }) => (quill ? { id: quill } : undefined) },
  instantMember: "at",
  record: ({ text }) => ({ parts: [{ is: "prompt", text }] }),
  ${more}
}`;

const HISTORY = '{"quill":"apples","at":"2026-05-01T09:00:00Z","text":"Count the apples."}\n';

/** In the current folder: histories, and the module. */
async function quill(module: string): Promise<string> {
  const home = await homeFolder();
  await mkdir(path.join(home, "logs"));
  await writeFile(path.join(home, "logs/a.quill"), HISTORY);
  await writeFile(path.join(home, "quill.mjs"), module);
  return home;
}

describe("--plugin", () => {
  it("reads one more kind of histories", async () => {
    await quill(`export default ${FORMAT("quill")}`);
    const listed = await run("list", "logs", "--plugin", "./quill.mjs");
    expect(listed.code).toBe(0);
    expect(listed.stdout).toMatch(/logs\/apples +Count the apples\./);
    const sources = await run("--plugin", "./quill.mjs", "sources", "logs", "--source", "quill");
    expect(sources).toMatchObject({ code: 0, stderr: "" });
    expect(sources.stdout).toContain("Quill");
    for (const args of [["search", "apples"], ["usage"], ["summary", "apples"]])
      expect(await run(...args, "logs", "--plugin", "./quill.mjs")).not.toMatchObject({ code: 2 });
  });

  it("reads the usual folder of the tool", async () => {
    const home = await quill(`export default ${FORMAT("quill", 'home: ".quill",')}`);
    await mkdir(path.join(home, ".quill"));
    await writeFile(path.join(home, ".quill/b.quill"), HISTORY);
    expect((await run("list", "--plugin", "./quill.mjs")).stdout).toContain("Count the apples.");
  });

  it("runs an installed package, and no file of the current folder with its name", async () => {
    const home = await quill("export default {}");
    const folder = path.join(home, "node_modules/quill-format");
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, "index.mjs"), `export default ${FORMAT("quill")}`);
    await writeFile(path.join(folder, "package.json"), '{"name":"quill-format","main":"index.mjs"}');
    await writeFile(path.join(home, "quill-format"), "throw new Error()");
    expect((await run("list", "logs", "--plugin", "quill-format")).stdout).toContain("Count the apples.");
  });

  it.each([
    ["a missing file", "./none.mjs", "", "There is no such file, and no such package."],
    ["a missing package", "no-such-format", "", "There is no such file, and no such package."],
    ["an address", "https://example.com/a.mjs", "", "There is no such file, and no such package."],
    ["code in an address", "data:text/javascript,1", "", "There is no such file, and no such package."],
    ["a module of Node.js", "node:fs", "", "There is no such file, and no such package."],
    ["a module that fails", "./quill.mjs", 'throw new Error("broken")', "Error: broken"],
    ["a module that throws nothing", "./quill.mjs", "throw null", "an unknown error"],
    ["a module with a missing import", "./quill.mjs", 'import "nothing-here"', "ERR_MODULE_NOT_FOUND"],
    ["no default export", "./quill.mjs", "export const format = 1;", "It has no default export."],
    ["an export that is no format", "./quill.mjs", "export default 5;", "`format` must be an object"],
    [
      "an unknown option",
      "./quill.mjs",
      `export default ${FORMAT("q", "lable: 1")}`,
      "Did you mean 'label'?",
    ],
    [
      "an id of a built-in format",
      "./quill.mjs",
      `export default ${FORMAT("pi")}`,
      'The format "pi" is built in.',
    ],
  ])("refuses %s", async (_, plugin, module, message) => {
    const home = await quill(module);
    const { code, stderr } = await run("list", "logs", "--plugin", plugin);
    expect(code).toBe(2);
    expect(stderr).toContain(`The plugin "${plugin}" cannot be used. `);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain(home);
  });

  it("takes no module from the histories or their settings", async () => {
    await quill('process.stderr.write("It ran.")');
    await writeFile("logs/package.json", '{"agent-inspector":{"plugin":"../quill.mjs"}}');
    await writeFile("logs/agent-inspector.config.mjs", 'process.stderr.write("It ran.")');
    expect((await run("list", "logs")).stderr).not.toContain("It ran.");
  });

  it("states that it runs code", async () => {
    await homeFolder();
    const help = (await run("list", "--help")).stdout.replaceAll(/\s+/g, " ");
    expect(help).toContain("--plugin <module> run the code of this file or package");
  });
});
