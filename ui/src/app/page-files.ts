import { isMissingFile } from "../model/text/error-text.js";

const RETRY_MS = 2500;
/** Requests for a file that the server lacks, although it has this page. */
const MOST_TRIES = 3;

const listeners = new Set<() => void>();
let isReplaced = false;
let waiting: Promise<boolean> | undefined;

/** The server has another build: files of this one may be gone. */
export const replacement = {
  get: () => isReplaced,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export class FileTries {
  #count = 0;

  /**
   * Waits for the server, and for a pause.
   * @returns false after the last try
   */
  async wait(): Promise<boolean> {
    if (this.#count >= MOST_TRIES) return false;
    // Tries count only while the server is there.
    this.#count = (await untilServed()) ? 0 : this.#count + 1;
    return true;
  }
}

/**
 * If a file is missing, waits for the server and loads again.
 * @throws the error of `load` if no file is missing, or the server has this page without the file
 */
export async function loadFile<T>(load: () => Promise<T>): Promise<T> {
  const tries = new FileTries();
  for (;;) {
    try {
      await loadStyles();
      return await load();
    } catch (error) {
      if (!isMissingFile(error) || !(await tries.wait())) throw error;
    }
  }
}

/** Vite's loader requests each style sheet only once. */
const failedStyles = new Set(
  // The page's own style sheets fail before this module listens; then they have no rules.
  [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(
    ({ sheet }) => (sheet?.cssRules.length ?? 0) === 0,
  ),
);
addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") failedStyles.add(target);
  },
  true,
);
let loadingStyles: Promise<unknown> | undefined;

/** @throws Error if one fails again */
export async function loadStyles(): Promise<void> {
  loadingStyles ??= Promise.all([...failedStyles].map(loadStyle)).finally(() => {
    loadingStyles = undefined;
  });
  await loadingStyles;
}

function loadStyle(link: HTMLLinkElement): Promise<void> {
  const copy = link.cloneNode() as HTMLLinkElement;
  const loaded = new Promise<void>((resolve, reject) => {
    copy.addEventListener("load", () => resolve());
    copy.addEventListener("error", () => reject(new Error("Unable to preload CSS")));
  });
  failedStyles.delete(link);
  link.replaceWith(copy);
  return loaded;
}

/**
 * Starts another one later if its file is missing.
 * @param use called with each worker
 */
export function startWorker(start: () => Worker, use: (worker: Worker) => void): void {
  const load = () =>
    new Promise<never>((_, reject) => {
      const worker = start();
      worker.addEventListener("error", (event) => {
        // Only an error of code that runs has a message.
        if (!event.message) reject(new Error("Importing a module script failed."));
      });
      use(worker);
    });
  loadFile(load).catch(reportError);
}

/**
 * All callers share the requests.
 * @returns true if the server was away; never settles for another build
 */
function untilServed(): Promise<boolean> {
  waiting ??= requestPage().finally(() => {
    waiting = undefined;
  });
  return waiting;
}

async function requestPage(): Promise<boolean> {
  let wasAway = false;
  for (let isFirst = true; ; isFirst = false) {
    const page = await servedPage();
    if (page === "other") return giveUp();
    if (page === "this" && !isFirst) return wasAway;
    wasAway ||= page === "none";
    do await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    while (document.hidden);
  }
}

function giveUp(): Promise<never> {
  isReplaced = true;
  for (const listener of listeners) listener();
  return new Promise(() => {});
}

/** A page for signing in, or a proxy's error page, is no build. */
async function servedPage(): Promise<"this" | "other" | "none"> {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute("src");
  try {
    const answer = await fetch(location.pathname + location.search, { cache: "no-store" });
    const html = answer.ok ? await answer.text() : "";
    if (!html.includes("inspector-api")) return "none";
    return html.includes(script ?? "") ? "this" : "other";
  } catch {
    return "none";
  }
}
