import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, clipboard, go, hash, settled } from "./browser/page.js";
import { serveSource } from "./fixtures/serve-app.js";
import { surveyed, surveys } from "./fixtures/surveyed.js";

const DUE = "41 sessions (212 MB) will be deleted by Claude Code within 7 days";

describeInBrowser("the sources", () => {
  const server = serveSource(() => surveyed(surveys));

  const table = () => page.getByRole("region", { name: "Sources, their sizes and versions" });
  const row = (name: string) => table().getByRole("row").filter({ hasText: name });
  const cells = (name: string) => row(name).getByRole("cell").allTextContents();

  it("are a click on the list's count away, a key, and a command, and have an address", async () => {
    await server.open("#/");
    await page.getByRole("link", { name: "1 session", exact: true }).click();
    await table().waitFor();
    await expect.poll(hash).toBe("#/sources");
    await expect.poll(() => page.title()).toBe("Sources · Agent Inspector");
    await page.keyboard.press("u");
    await expect.poll(hash).toBe("#/");
    await page.keyboard.press("s");
    await expect.poll(hash).toBe("#/sources");
    await go("#/s/shop/checkout/summary");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("sources");
    await page.keyboard.press("Enter");
    await expect.poll(hash).toBe("#/sources");
    await table().waitFor();
  });

  it("are a table of their figures, in which a partial and an unknown one says so", async () => {
    await server.open("#/sources");
    await table().waitFor();
    await expect
      .poll(() => cells("Claude Code"))
      .toEqual([
        "1,204",
        "3,310",
        "1.1 GB",
        "29d ago",
        "1m ago",
        "2.2.0 (newer than verified)2.1.3312.1.40and 1 more",
        "2.1.331",
        "after 30 days",
      ]);
    await row("Claude Code").getByText("/home/ada lovelace/.claude/projects").waitFor();
    await row("Claude Code").getByText("Partial: 34 sessions not read yet").waitFor();
    await expect.poll(async () => (await cells("Codex")).at(-1)).toBe("never");
    await expect.poll(() => row("Codex").getByText("Partial").count()).toBe(0);
    await expect.poll(async () => (await cells("Shop agent")).slice(0, 2)).toEqual(["1", "-unknown"]);
    await expect.poll(() => cells("Broken")).toEqual(["cannot be read: The disk is away."]);
  });

  it("say which version is newer than the one that the reader was verified with", async () => {
    await server.open("#/sources");
    const newer = table().locator("[data-newer=true]");
    await newer.waitFor();
    await expect
      .poll(() => newer.getAttribute("title"))
      .toBe("newer than 2.1.331, which this reader was verified with");
    const colours = await newer.evaluate((one) => {
      const other = one.parentElement!.querySelector("[data-newer=false]")!;
      return [getComputedStyle(one).backgroundColor, getComputedStyle(other).backgroundColor];
    });
    expect(colours[0]).not.toBe(colours[1]);
  });

  it("say what will be deleted, and how to keep it", async () => {
    await server.open("#/sources", { context: { permissions: ["clipboard-read", "clipboard-write"] } });
    await page.getByText(DUE).waitFor();
    const command = "agent-inspector keep '/home/ada lovelace/.claude/projects' --to ~/agent-histories";
    await page.getByText(command).waitFor();
    await button("Copy command").click();
    await button("Copied").waitFor();
    await expect.poll(() => clipboard()).toBe(command);
  });

  it("are announced above the list where sessions will be deleted soon, until that is dismissed", async () => {
    await server.open("#/");
    await page.getByText(DUE).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Sources", exact: true }).click();
    await expect.poll(hash).toBe("#/sources");
    await page.goBack();
    await button("Dismiss for a week").click();
    await expect.poll(() => page.getByText(DUE).count()).toBe(0);
    await page.reload();
    await page.getByRole("row").filter({ hasText: "checkout tests" }).first().waitFor();
    await settled();
    await expect.poll(() => page.getByText(DUE).count()).toBe(0);
  });
});
