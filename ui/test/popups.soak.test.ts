import { expect, it } from "vitest";
import { findNothing } from "./browser/axe.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { isFocused, query, wholeTrace } from "./browser/page.js";
import { serveHistories } from "./fixtures/serve-app.js";
import { SessionWriter } from "./fixtures/session-writer.js";

function toolSession(tools: number) {
  const w = new SessionWriter(
    { sessionId: "tools", tenantId: "labs", title: "Use all tools" },
    1_760_000_000_000,
  );
  w.turn("Use all tools", () => {
    for (let i = 0; i < tools; i++) w.tool(`mcp__server_${i % 5}__tool_${i}`, { i }, "done", 1);
  });
  return w.session();
}

describeInBrowser("what opens over the page", () => {
  const server = serveHistories([toolSession(2_400)]);
  const tools = () => page.getByRole("combobox", { name: "All tools", exact: true });
  const options = () => page.getByRole("option");

  it("is a listbox with a search: 2,400 tools are found by what is typed, by the keyboard alone", async () => {
    await server.open("#/s/labs/tools/trace");
    await wholeTrace().waitFor();
    await tools().focus();
    await page.keyboard.press("ArrowDown");
    const search = page.getByRole("combobox", { name: "Search: All tools" });
    await expect.poll(() => isFocused(search)).toBe(true);
    await expect.poll(() => options().count()).toBe(2_401);
    await page.keyboard.type("server_3 TOOL_100");
    await expect.poll(() => options().count()).toBe(2);
    await page.keyboard.press("End");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => query().get("tool")).toMatch(/^mcp__server_3__tool_100\d$/);
    await expect.poll(() => isFocused(tools())).toBe(true);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => isFocused(search)).toBe(true);
    await page.keyboard.type("none has it");
    await page.getByText("No match").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => options().count()).toBe(0);
    await expect.poll(() => isFocused(tools())).toBe(true);
  });

  it("takes what is typed into a listbox before its code is loaded for its search", async () => {
    await server.open("#/s/labs/tools/trace", { context: {} });
    await wholeTrace().waitFor();
    let load = () => {};
    const isLoaded = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route(/listbox-panel/, (route) => isLoaded.then(() => route.continue()));
    await tools().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.type("server_3 TOOL_1003");
    load();
    await expect.poll(() => options().count()).toBe(1);
    await page.keyboard.press("Enter");
    await expect.poll(() => query().get("tool")).toBe("mcp__server_3__tool_1003");
  });

  it("is a tip of what is pointed at or has the focus, which Escape hides", async () => {
    await server.open("#/");
    const tip = page.getByRole("tooltip");
    const columns = page.getByRole("button", { name: "Columns" });
    await columns.hover();
    await expect.poll(() => tip.textContent()).toMatch(/^Visible columns and their order/);
    await page.mouse.move(0, 0);
    await expect.poll(() => tip.count()).toBe(0);
    await page.getByRole("combobox", { name: "Group by" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("listbox").waitFor();
    await findNothing();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    await expect.poll(() => tip.textContent()).toMatch(/^Visible columns and their order/);
    await expect.poll(() => columns.getAttribute("aria-describedby")).toBe("tooltip");
    await page.keyboard.press("Escape");
    await expect.poll(() => tip.count()).toBe(0);
    await expect.poll(() => columns.getAttribute("aria-describedby")).toBeNull();
  });
});
