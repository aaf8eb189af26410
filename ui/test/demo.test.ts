import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, it } from "vitest";
import { describeInBrowser, open, page } from "./browser/browser.js";
import { details, row } from "./browser/page.js";

const MAIN = path.resolve(import.meta.dirname, "../../dist/src/composition/main.js");

describeInBrowser("the demo", () => {
  let folder: string;
  let demo: ChildProcess;
  let address: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "inspector-demo-"));
    demo = spawn(process.execPath, [MAIN, "demo", "--port", "0", "--no-open"], {
      cwd: folder,
      env: { ...process.env, HOME: folder, TMPDIR: folder },
    });
    const [line] = await once(demo.stdout!, "data");
    address = /http:\S+/.exec(String(line))![0];
  });
  afterAll(async () => {
    demo.kill("SIGTERM");
    await once(demo, "exit");
    rmSync(folder, { recursive: true, force: true });
  });

  it("opens with its sessions, and each view of one shows what it is for, without an error", async () => {
    await open(address);
    await page.getByRole("columnheader", { name: "Session" }).waitFor();
    await page.getByRole("link", { name: /\d+ sessions/ }).waitFor();
    await page.getByRole("link", { name: "Review pull request 812: new session store" }).click();
    await page.getByRole("table", { name: "Context usage" }).waitFor();
    await page.keyboard.press("1");
    await row(/Turn/).first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await details().getByText("Started").waitFor();
    await page.keyboard.press("2");
    await page.getByRole("treegrid", { name: "Agents" }).waitFor();
    await page.keyboard.press("3");
    await page.getByRole("region", { name: "Conversation" }).getByText("User").first().waitFor();
    await page.keyboard.press("4");
    await page.getByText(/Call \d+ of \d+/).waitFor();
    await page.keyboard.press("u");
    await page.getByRole("link", { name: /\d+ sessions/ }).waitFor();
  });
});
