import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function findBrowser(): string | undefined {
  const configured = process.env.CHROMIUM_PATH;
  return [...(configured === undefined ? [] : [configured]), ...PLACES].find((path) => existsSync(path));
}

export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser()!, args: ARGUMENTS });
}

/** Opens pages, and remembers what went wrong on them. */
export interface Visitor {
  open(address: string, options?: BrowserContextOptions): Promise<Page>;
  /** Errors of all pages so far: exceptions, files that are missing, and what the Content-Security-Policy stopped. */
  readonly errors: string[];
}

/** Tests in a real browser. Where there is none they are skipped, and say so where nobody can miss it. */
export function describeInBrowser(name: string, tests: (visitor: Visitor) => void): void {
  if (findBrowser() === undefined) {
    process.stderr.write(
      `\n!!! NO BROWSER: the tests "${name}" DID NOT RUN. Install chromium, or set CHROMIUM_PATH.\n\n`,
    );
    describe.skip(`${name} (no browser found)`, () => tests(noVisitor()));
    return;
  }
  describe(name, () => {
    let browser: Browser;
    const errors: string[] = [];
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterAll(() => browser.close());
    tests({
      errors,
      async open(address, options) {
        const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
        const page = await context.newPage();
        page.setDefaultTimeout(20_000);
        page.on("pageerror", (error) => errors.push(String(error)));
        page.on("console", (message) => {
          if (message.type() === "error" && !message.text().includes("Failed to load resource")) {
            errors.push(message.text());
          }
        });
        page.on("response", (response) => {
          const isPage = !new URL(response.url()).pathname.includes("/__inspector");
          if (isPage && response.status() >= 400) errors.push(`${response.status()} ${response.url()}`);
        });
        await page.goto(address);
        return page;
      },
    });
  });
}

function noVisitor(): Visitor {
  return {
    errors: [],
    open: () => {
      throw new Error("there is no browser");
    },
  };
}
