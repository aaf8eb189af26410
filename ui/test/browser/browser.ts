import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from "playwright-core";
import { afterAll, afterEach, describe, expect } from "vitest";

const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-extensions",
  "--disable-sync",
  // Without graphics hardware, the GPU process only copies images.
  "--in-process-gpu",
  // A page lives for a second: optimised compilation would cost more than it saves.
  "--js-flags=--no-opt,--no-maglev",
];

export function findBrowser(): string | undefined {
  const configured = process.env.CHROMIUM_PATH;
  return [...(configured === undefined ? [] : [configured]), ...PLACES].find((path) => existsSync(path));
}

export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser()!, args: ARGUMENTS });
}

export interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
  /** Needs a new browser context, for this test alone. */
  readonly context?: BrowserContextOptions;
  /** Needs a new context: delays each message between page and engine by up to this number of milliseconds, in order. */
  readonly engineDelay?: number;
  /** Loads the page even for another address within it. */
  readonly fresh?: boolean;
}

export let page: Page;

/** Of the current test: exceptions, missing files, and violations of the Content-Security-Policy. */
export const errors: string[] = [];

/** Open requests of each page. */
const requests = new WeakMap<Page, Set<Request>>();

declare global {
  /** In a page: open calls of its engine, and undelivered news. */
  var underWay: number;
}

/** False while a page still shows another test file's view, whose server is gone. */
let isOfTest = true;

/** Empties a page's storage at its opening, before its scripts run; a reload does not count. */
const OPENED = "opened";
const FORGET = `if (location.search.startsWith("?${OPENED}") && performance.getEntriesByType("navigation")[0].type === "navigate") {
  localStorage.clear();
  sessionStorage.clear();
}`;
let opened = 0;

/** `SLOW_ENGINE=300 npx vitest --project browser` gives every page this `Look.engineDelay`. */
const { SLOW_ENGINE } = process.env;

let browser: Promise<Browser> | undefined;
let sharedPage: Promise<Page> | undefined;

/**
 * Reuses one tab for all tests of a process: another tab or site costs a browser process. Between views of a session a page without
 * stored data only changes its address, like a link; a list is always loaded.
 */
export async function open(address: string, look: Look = {}): Promise<void> {
  const { width = 1280, height = 800, colorScheme = "light", context, engineDelay, fresh = false } = look;
  if (context === undefined) sharedPage ??= newPage();
  page = await (context === undefined ? sharedPage! : newPage(context, engineDelay));
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  const url = new URL(address);
  if (!fresh && /^#\/(s|compare)\//.test(url.hash) && (await isUnchanged(url))) {
    await page.evaluate(goTo, NOWHERE);
    await page.getByText("Page not found").first().waitFor();
    await page.evaluate(goTo, url.hash);
    isOfTest = true;
    return;
  }
  url.search = `?${OPENED}=${++opened}`;
  await page.goto(url.href);
}

async function isUnchanged({ origin, pathname }: URL): Promise<boolean> {
  const now = new URL(page.url());
  return now.origin === origin && now.pathname === pathname && page.evaluate(() => localStorage.length === 0);
}

const NOWHERE = "#/nowhere";

/** Runs in the page. */
export function goTo(hash: string): void {
  location.hash = hash;
}

async function newPage(
  options?: BrowserContextOptions,
  engineDelay = Number(SLOW_ENGINE ?? 0),
): Promise<Page> {
  browser ??= startBrowser();
  const context = await (await browser).newContext(options);
  if (options === undefined) await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await context.addInitScript(FORGET);
  await context.addInitScript(watchEngine, engineDelay);
  const created = await context.newPage();
  const asked = new Set<Request>();
  requests.set(created, asked);
  created.on("request", (request) => {
    // An engine's requests end with its page without an event.
    if (request.isNavigationRequest()) asked.clear();
    asked.add(request);
  });
  created.on("requestfinished", (request) => asked.delete(request));
  created.on("requestfailed", (request) => asked.delete(request));
  created.setDefaultTimeout(30_000);
  if (options === undefined) {
    const forget = () => {
      sharedPage = undefined;
    };
    created.on("crash", forget);
    created.on("close", forget);
  }
  const report = (error: string) => {
    if (isOfTest) errors.push(error);
  };
  created.on("framenavigated", (frame) => {
    if (frame.url().split("#")[0]!.endsWith(`?${OPENED}=${opened}`)) isOfTest = true;
  });
  created.on("pageerror", (error) => report(String(error)));
  created.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("Failed to load resource")) {
      report(message.text());
    }
  });
  created.on("response", (response) => {
    const isPage = !new URL(response.url()).pathname.includes("/__inspector");
    if (isPage && response.status() >= 400) report(`${response.status()} ${response.url()}`);
  });
  return created;
}

export function isWaiting(): boolean {
  return (requests.get(page)?.size ?? 0) > 0;
}

/** Runs in the page, before its own scripts: counts and delays messages between the page and its engine. */
function watchEngine(delay: number): void {
  const inOrder = () => {
    let last = Promise.resolve();
    return (deliver: () => void) => {
      if (delay === 0) return deliver();
      const due = new Promise((resolve) => setTimeout(resolve, Math.random() * delay));
      last = last.then(() => due).then(deliver);
    };
  };
  globalThis.underWay = 0;
  window.Worker = class extends Worker {
    readonly #toEngine = inOrder();
    readonly #fromEngine = inOrder();

    override postMessage(message: { readonly type: string }): void {
      if (message.type === "call") globalThis.underWay++;
      this.#toEngine(() => super.postMessage(message));
    }

    override addEventListener(type: string, listener: EventListener): void {
      if (type !== "message") return super.addEventListener(type, listener);
      super.addEventListener(type, (event) => {
        const isUpdate = (event as MessageEvent<{ readonly type: string }>).data.type === "update";
        if (isUpdate) globalThis.underWay++;
        this.#fromEngine(() => {
          globalThis.underWay--;
          listener(event);
        });
      });
    }
  };
}

async function tidyUp(): Promise<void> {
  const shared = await sharedPage;
  for (const context of (await browser)?.contexts() ?? []) {
    if (context !== shared?.context()) await context.close();
  }
  for (const other of shared?.context().pages() ?? []) {
    if (other !== shared) await other.close();
  }
  await shared?.unrouteAll({ behavior: "ignoreErrors" });
  await shared?.mouse.move(0, 0);
}

/**
 * Each process of the runner has one real browser. A page's error fails its test; without a browser the tests are skipped with a visible
 * notice.
 */
export function describeInBrowser(name: string, tests: () => void): void {
  if (findBrowser() === undefined) {
    process.stderr.write(
      `\n!!! NO BROWSER: the tests "${name}" DID NOT RUN. Install chromium, or set CHROMIUM_PATH.\n\n`,
    );
    describe.skip(`${name} (no browser found)`, tests);
    return;
  }
  describe(name, () => {
    afterEach(async () => {
      await tidyUp();
      expect(errors.splice(0)).toEqual([]);
    });
    tests();
    // The last hook of a file runs first: its servers still exist.
    afterAll(() => {
      isOfTest = false;
    });
  });
}
