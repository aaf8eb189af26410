import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { findBrowser } from "../test/browser/browser.js";

interface Answer {
  readonly id?: number;
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly message: string };
}

/**
 * Controls a browser over a pipe with the Chrome DevTools Protocol (https://chromedevtools.github.io/devtools-protocol/). A browser
 * library listens to every request and frame, which would take a part of the measured time.
 */
export class PipedBrowser {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;
  #rest = "";

  private constructor(process: ChildProcess, profile: string) {
    this.#process = process;
    this.#profile = profile;
    (process.stdio[4] as Readable).setEncoding("utf8").on("data", (text: string) => this.#receive(text));
  }

  static async start(): Promise<PipedBrowser> {
    const program = findBrowser();
    if (program === undefined)
      throw new Error("There is no browser: install chromium, or set CHROMIUM_PATH.");
    const profile = await mkdtemp(path.join(tmpdir(), "inspector-ui-bench-profile-"));
    const switches = [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--remote-debugging-pipe",
      `--user-data-dir=${profile}`,
      "about:blank",
    ];
    const child = spawn(program, switches, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    return new PipedBrowser(child, profile);
  }

  /** The page is isolated from all others; the script runs before the page's scripts. */
  async openPage(script: string, width: number, height: number): Promise<BrowserPage> {
    const { browserContextId } = await this.send("Target.createBrowserContext");
    const made = await this.send("Target.createTarget", {
      url: "about:blank",
      browserContextId,
      width,
      height,
    });
    const attached = await this.send("Target.attachToTarget", { targetId: made.targetId, flatten: true });
    const sessionId = String(attached.sessionId);
    await this.send("Page.enable", {}, sessionId);
    await this.send("Page.addScriptToEvaluateOnNewDocument", { source: script }, sessionId);
    return {
      show: async (address) => {
        await this.send("Page.navigate", { url: address }, sessionId);
      },
      evaluate: async (expression) => {
        const params = { expression, returnByValue: true, awaitPromise: true };
        const { result } = await this.send("Runtime.evaluate", params, sessionId);
        return (result as { value?: unknown }).value;
      },
      close: async () => {
        await this.send("Target.disposeBrowserContext", { browserContextId });
      },
    };
  }

  send(method: string, params: object = {}, sessionId?: string): Promise<NonNullable<Answer["result"]>> {
    const id = ++this.#lastId;
    const message = { id, method, params, ...(sessionId === undefined ? {} : { sessionId }) };
    (this.#process.stdio[3] as Writable).write(`${JSON.stringify(message)}\0`);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => {
        if (error === undefined) resolve(result ?? {});
        else reject(new Error(`${method}: ${error.message}`));
      });
    });
  }

  async close(): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.kill();
    await ended;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  #receive(text: string): void {
    const messages = (this.#rest + text).split("\0");
    this.#rest = messages.pop() ?? "";
    for (const message of messages) {
      const answer = JSON.parse(message) as Answer;
      if (answer.id === undefined) continue;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    }
  }
}

export interface BrowserPage {
  show(address: string): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}
