import { expect, it } from "vitest";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, details, failedRow, nodeCount, row } from "./browser/page.js";
import {
  checkoutSession,
  givenSession,
  spokenSession,
  tableSession,
  untoldSession,
} from "./fixtures/histories.js";
import { serveHistories } from "./fixtures/serve-app.js";

describeInBrowser("the details of an event", () => {
  const server = serveHistories([
    checkoutSession(),
    tableSession(),
    spokenSession(),
    givenSession(),
    untoldSession(),
  ]);

  const openError = async (width: number, query = "") => {
    await server.open(`#/s/shop/checkout/trace${query}`, { width, height: 900 });
    await failedRow().click();
    await details().getByRole("heading", { name: "Output" }).waitFor();
  };
  const places = async () => ({
    readable: (await details().getByText("Expected: 0.3").first().boundingBox())!,
    json: (await details().getByText("tool.end").boundingBox())!,
  });
  const json = () => details().getByRole("button", { name: "Raw JSON" });

  it("are shown beside their JSON in a wide window", async () => {
    await openError(1920);
    const { readable, json: tree } = await places();
    expect(tree.x).toBeGreaterThan(readable.x + readable.width);
    await json().click();
    await details().getByText("tool.end").waitFor({ state: "detached" });
    await page.reload();
    await details().getByRole("heading", { name: "Output" }).waitFor();
    await expect.poll(() => json().getAttribute("aria-expanded")).toBe("false");
  });

  it("are of the selected event, also after all of another's text was shown", async () => {
    await server.open("#/s/shop/checkout/trace", { width: 1280, height: 2400 });
    await row(/npm test -- part3/).click();
    await details().getByRole("button", { name: "Show all" }).click();
    await details().getByRole("button", { name: "Show less" }).waitFor();
    await row(/npm test -- part4/).click();
    await details().getByText("ok 4").waitFor();
    await expect.poll(() => details().getByText("ok 3").count()).toBe(0);
  });

  it("make room for their JSON in a window that is not, and the address keeps it", async () => {
    await openError(1280);
    await expect.poll(() => json().getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("r");
    await details().getByText("tool.end").waitFor();
    await page.reload();
    await details().getByText("tool.end").waitFor();
    const { readable, json: tree } = await places();
    expect(tree.x).toBeGreaterThan(readable.x + readable.width);
  });

  it("lie above their JSON on a phone, which scrolls into view when it is opened", async () => {
    await openError(390);
    const body = (await details().boundingBox())!;
    const bar = (await json().boundingBox())!;
    expect(bar.y + bar.height).toBeLessThanOrEqual(body.y + body.height);
    await json().click();
    await details().getByText("tool.start").nth(1).waitFor();
    const { readable, json: tree } = await places();
    expect(readable.y).toBeLessThan(tree.y);
    await expect.poll(async () => (await json().boundingBox())!.y).toBeLessThan(bar.y);
  });

  it("of a text or a thought are its words", async () => {
    await server.open("#/s/labs/spoken/trace");
    const texts = [
      ["Thinking", "A cellar may be damp."],
      ["Text", "I will look at the door first."],
      ["Text", "Then at the stairs."],
      ["User", "[Request interrupted by user]"],
    ] as const;
    await button("Text 4").waitFor();
    for (const [name, words] of texts) {
      await page.getByRole("row", { name: `${name} ${words}` }).click();
      await details().getByRole("heading", { name, level: 3 }).waitFor();
      await details().getByText(words, { exact: true }).first().waitFor();
    }
  });

  it("of a tool call say what it was given, when it was told and whether it was", async () => {
    await server.open("#/s/labs/untold/trace");
    for (const [name, input] of [
      ["Refresh", "{}"],
      ["Seek", "placeKiel"],
      ["Wait", "no input recorded"],
    ] as const) {
      await page.getByRole("row", { name: new RegExp(`Tool call ${name}`) }).click();
      await details().getByText(`${name} is done.`).first().waitFor();
      const block = details().locator("section", { has: page.getByRole("heading", { name: "Input" }) });
      await expect.poll(() => block.textContent()).toBe(`Input${input}`);
    }
  });

  it("of a tool call in the conversation do so, too", async () => {
    await server.open("#/s/labs/untold/messages");
    for (const name of ["Refresh", "Wait"]) await button(new RegExp(name)).click();
    await page.getByText("no input recorded").waitFor();
    await expect.poll(() => page.getByText("no input recorded").count()).toBe(1);
  });

  it("cost little, whatever is in them", async () => {
    await server.open("#/s/labs/tables/trace", { width: 1920, height: 1080, fresh: true });
    await row(/Query/).click();
    await details()
      .getByRole("button", { name: /▸ rows/ })
      .first()
      .waitFor();
    await details().getByText("column-49").first().waitFor();
    await expect.poll(nodeCount).toBeLessThan(2000);
  });

  it("of a model call show what it was given, and Context shows the same", async () => {
    await server.open("#/s/labs/given/trace");
    await row(/Yes, take a coat/).click();
    const given = details().getByRole("region", { name: "Model input" });
    for (const [origin, preview, text] of [
      ["User", /Will it rain/, /Will it rain in Kiel/],
      ["Assistant", /I look it up/, /"place": "Kiel"/],
      ["Tool result", /Showers/, /^Showers\.$/],
      ["User", /hologram/, /"shape": "cloud"/],
    ] as const) {
      const message = given.getByRole("group").filter({ hasText: origin }).filter({ hasText: preview });
      await message.locator("summary").click();
      await message.getByText(text).last().waitFor();
    }
    await details().getByRole("link", { name: "Context at this call" }).click();
    await page.getByText("Call 2 of 2").waitFor();
    const lines = page.getByRole("region", { name: "Context at this call" });
    await lines.getByText("Showers.").first().waitFor();
    await expect.poll(() => lines.getByRole("link", { name: "Show in messages" }).count()).toBe(0);
    await expect.poll(() => lines.locator("li[data-change=added]").count()).toBe(3);
    await expect.poll(() => lines.locator("li[data-change=kept]").count()).toBe(1);
  });
});
