import { expect } from "vitest";
import type { InMemorySession } from "../../../src/advanced.js";
import { page } from "../browser/browser.js";
import type { TestServer } from "../fixtures/serve-app.js";

export async function followLinks(server: TestServer, long: InMemorySession, count: number): Promise<void> {
  const ids = JSON.stringify(long.messages).match(/(?<="id":")tool-\d+/g)!;
  for (let nth = 0; nth < count; nth++) {
    const id = ids[Math.floor(((nth + 0.5) * ids.length) / count)]!;
    await server.open(`#/s/labs/long/messages?call=${id}`);
    const marked = page.locator('[data-current="true"]');
    await marked.waitFor();
    await page.locator('[aria-label="Conversation"][aria-busy="false"]').waitFor();
    const list = page.getByRole("region", { name: "Conversation" });
    const { height } = (await list.boundingBox())!;
    // The header above may still grow, so the position is relative to the list.
    const below = async () => (await marked.boundingBox())!.y - (await list.boundingBox())!.y;
    await expect.poll(below, { message: id }).toBeLessThan(height - 20);
    await expect.poll(below, { message: id }).toBeGreaterThanOrEqual(-1);
  }
}
