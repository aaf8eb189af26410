import { expect, it } from "vitest";
import { judge } from "./browser/axe.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, go, hash, query } from "./browser/page.js";
import { checkoutSession, manySessions } from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

const ALL = "#/overview?range=all&by=month";

describeInBrowser("the overview", () => {
  const server = serveHistories([checkoutSession(), ...manySessions(60)]);

  const bars = () => page.getByRole("slider");
  const table = (name: string) => page.getByRole("table", { name, exact: true });

  it("is a key, a link in the header and a command away, and `u` leads back to the list", async () => {
    await server.open("#/");
    await page.getByRole("grid", { name: "Sessions" }).waitFor(); // the page then accepts keys
    await page.keyboard.press("0");
    await expect.poll(hash).toBe("#/overview");
    await expect.poll(() => page.title()).toBe("Overview · Agent Inspector");
    await page.keyboard.press("u");
    await expect.poll(hash).toBe("#/");
    await page.getByRole("navigation").getByRole("link", { name: "Overview" }).click();
    await expect.poll(hash).toBe("#/overview");
    await go("#/s/shop/checkout/summary");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("overview");
    await page.keyboard.press("Enter");
    await expect.poll(hash).toBe("#/overview");
  });

  it("says what it covers, and its numbers in bars, in words and in a table", async () => {
    await server.open(ALL);
    await page.getByText(/^61 sessions/).waitFor();
    await bars().focus();
    await page.keyboard.press("Home");
    await expect.poll(() => bars().getAttribute("aria-valuetext")).toMatch(/^[A-Z][a-z]+ 20\d\d: /);
    const first = await bars().getAttribute("aria-valuetext");
    const [time = "", total = ""] = first!.split(/[:,] /);
    const row = table("Cost by month").getByRole("row", { name: time });
    await expect.poll(() => row.getByRole("cell").first().textContent()).toBe(total);
    await button("Table").click();
    await expect.poll(() => query().get("table")).toBe("1");
    await row.waitFor({ state: "visible" });
  });

  it("goes from a bar to its time alone, and back", async () => {
    await server.open(ALL);
    await bars().focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await expect.poll(() => query().get("range")).toBe("custom");
    await expect.poll(() => query().get("by")).toBe("day");
    await expect.poll(() => page.getByLabel("First day").inputValue()).toMatch(/-01$/);
    await page.goBack();
    await expect.poll(hash).toBe(ALL);
  });

  it("leads from a row to the list of its sessions, and from a name of the bars to its sessions alone", async () => {
    await server.open(`${ALL}&stack=project`);
    await table("Projects").getByRole("link", { name: "shop", exact: true }).click();
    await expect.poll(hash).toMatch(/^#\/\?filter=tenant%3A/);
    await page.goBack();
    await page.getByRole("list", { name: "Colours" }).getByRole("button", { name: "shop" }).click();
    await expect.poll(() => query().get("filter")).toMatch(/^tenant:=?shop$/);
    await page.getByText(/^\d+ sessions?/).waitFor();
  });

  judge(server, [
    ["the overview", ALL, "Costliest sessions"],
    ["its table", `${ALL}&table=1&measure=sessions&stack=project`, "Costliest sessions"],
  ]);
});
