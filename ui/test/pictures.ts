/**
 * Takes pictures of every view for a person: `node --import tsx ui/test/pictures.ts ADDRESS FOLDER [TENANT/SESSION …]`. Each view has a
 * light and a dark sheet with all widths.
 * @example node --import tsx ui/test/pictures.ts http://127.0.0.1:4680/ /tmp/pictures acme/one
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { startBrowser } from "./browser/browser.js";

const SIZES = [
  [390, 844],
  [1024, 768],
  [1440, 900],
  [1920, 1080],
] as const;
const SCHEMES = ["light", "dark"] as const;
const TABS = ["trace", "agents", "messages", "context", "summary"];

/** Small enough that viewers do not scale a sheet. */
const SHEET = { width: 1_560, rowHeight: 490 };

/** After this time, the picture shows a view that still loads. */
const PATIENCE_MS = 8_000;

const [address = "", folder = "", ...sessions] = process.argv.slice(2);
if (folder === "") throw new Error("Name the address of a page, and a folder for the pictures.");
mkdirSync(folder, { recursive: true });

const views = new Map([
  ["list", "#/"],
  ["overview", "#/overview"],
  ["sources", "#/sources"],
  ...sessions.flatMap((session) => [
    ...TABS.map((tab) => [`${nameOf(session)}-${tab}`, `#/s/${session}/${tab}`] as const),
    [`${nameOf(session)}-compare`, `#/compare/${session}`] as const,
  ]),
]);

const browser = await startBrowser();
for (const [name, hash] of views) {
  for (const scheme of SCHEMES) {
    const pictures: Buffer[] = [];
    for (const [width, height] of SIZES) pictures.push(await pictureOf(browser, hash, width, height, scheme));
    await writeSheet(browser, pictures, path.join(folder, `${name}-${scheme}.png`));
  }
}
await browser.close();

async function pictureOf(
  browser: Browser,
  hash: string,
  width: number,
  height: number,
  colorScheme: "light" | "dark",
) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
  page.on("pageerror", ({ message }) => process.stderr.write(`${hash} at ${width}: ${message}\n`));
  await page.goto(new URL(hash, address).href);
  await page.locator("#content").first().waitFor();
  await page
    .waitForFunction(() => document.querySelector('progress, [aria-busy="true"]') === null, undefined, {
      timeout: PATIENCE_MS,
    })
    .catch(() => process.stderr.write(`${hash} at ${width} is still busy\n`));
  await page.waitForTimeout(700);
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

async function writeSheet(browser: Browser, pictures: readonly Buffer[], file: string) {
  const sheet = await browser.newPage({ viewport: { width: SHEET.width, height: SHEET.rowHeight * 2 } });
  const images = pictures.map(
    (picture) =>
      `<img height="${SHEET.rowHeight}" style="max-width:49%;object-fit:contain" src="data:image/png;base64,${picture.toString("base64")}">`,
  );
  await sheet.setContent(
    `<body style="margin:0;display:flex;flex-wrap:wrap;gap:8px;background:#777">${images.join("")}</body>`,
  );
  await sheet.locator("body").screenshot({ path: file });
  await sheet.close();
}

function nameOf(session: string): string {
  return session.replaceAll(/[^\w-]+/g, "_");
}
