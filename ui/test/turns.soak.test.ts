import { expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { findNothing } from "./browser/axe.js";
import { describeInBrowser, page } from "./browser/browser.js";
import { button, hash, isFocused, overflow } from "./browser/page.js";
import { checkoutSession } from "./fixtures/histories.js";
import { serveSource } from "./fixtures/serve-app.js";
import { EXPLORER, withAgentMessages } from "./fixtures/with-agent-messages.js";

const WIDE = { width: 1440, height: 900 };

describeInBrowser("a conversation and its turns", () => {
  const server = serveSource(() =>
    withAgentMessages(createInMemoryInspectorDataSource([checkoutSession()]), EXPLORER),
  );

  const turn = (name: RegExp) => page.getByRole("navigation", { name: "Turns" }).getByRole("link", { name });
  const sought = () => page.locator('article[aria-current="true"]');

  it("are beside each other: the turn that is read is marked, and each is a click or a key away", async () => {
    await server.open("#/s/shop/checkout/messages", WIDE);
    await expect.poll(() => turn(/The checkout tests fail/).getAttribute("aria-current")).toBe("true");
    await turn(/The checkout tests fail.* 37\.4s.*3 errors.*1 lines added, 1 removed/).waitFor();
    await turn(/Deploy it/).click();
    await expect.poll(() => turn(/Deploy it/).getAttribute("aria-current")).toBe("true");
    await page.keyboard.press("[");
    await expect.poll(() => turn(/Good/).getAttribute("aria-current")).toBe("true");
    await page.getByText("Turn 2 of 3").waitFor();
    await page.getByRole("article").getByText("Turn 2", { exact: true }).waitFor();
    await turn(/Good/).focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByText("Turn 1 of 3").waitFor();
  });

  it("are a button apart where there is little room", async () => {
    await server.open("#/s/shop/checkout/messages", { width: 390, height: 800 });
    await button("Turns").click();
    const list = page.getByRole("dialog").getByRole("list", { name: "Turns" });
    await expect.poll(async () => (await list.boundingBox())?.x).toBeGreaterThanOrEqual(0);
    await list.getByRole("link", { name: /Deploy it/ }).click();
    await page.getByText("Turn 3 of 3").waitFor();
    await list.waitFor({ state: "hidden" });
    await expect.poll(overflow).toBeLessThanOrEqual(0);
  });

  it("open and close all, as the address says", async () => {
    await server.open("#/s/shop/checkout/messages?open=all", WIDE);
    await page.getByRole("heading", { name: "Input" }).nth(1).waitFor();
    await button("Collapse all").click();
    await expect.poll(hash).toBe("#/s/shop/checkout/messages?open=none");
    await expect.poll(() => page.getByRole("heading", { name: "Input" }).count()).toBe(0);
    await button("Expand all").click();
    await page.getByRole("heading", { name: "Input" }).nth(1).waitFor();
    await findNothing();
  });

  it("show what an address names open, marked and with the focus, until one goes on", async () => {
    await server.open("#/s/shop/checkout/messages?at=11", WIDE);
    await sought().getByRole("deletion").getByText("a + b.price").waitFor();
    await sought()
      .getByRole("button", { name: /Edit src\/cart\/total\.ts .*1 lines added, 1 removed/ })
      .waitFor();
    await expect.poll(() => isFocused(sought())).toBe(true);
    await page.keyboard.press("j");
    await expect.poll(() => sought().count()).toBe(0);
  });

  it("of a sub-agent begin with who asked, and lead there and back", async () => {
    await server.open("#/s/shop/checkout/messages?agent=agent-1", WIDE);
    await page.getByRole("article").getByRole("link", { name: "Prompt by Main agent" }).click();
    await sought().getByRole("link", { name: "from where totals are computed" }).click();
    await expect.poll(hash).toBe("#/s/shop/checkout/messages?agent=agent-1");
  });
});
