import { isMissingFile } from "../model/error-text.js";

/** The pause before the next request for the page. */
const RETRY_MS = 2500;
/** The number of requests for a file that the server lacks although it has this page. */
const MOST_TRIES = 3;

const listeners = new Set<() => void>();
let isReplaced = false;
let waiting: Promise<boolean> | undefined;

/** True once the server has another build of the page: files of this one may be gone. */
export const replacement = {
  get: () => isReplaced,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Counts the tries to load a file. */
export class FileTries {
  #count = 0;

  /** Waits until the server has this page, and for a pause. @returns false after the last try */
  async wait(): Promise<boolean> {
    if (this.#count >= MOST_TRIES) return false;
    // The tries count only while the server is there.
    this.#count = (await untilServed()) ? 0 : this.#count + 1;
    return true;
  }
}

/**
 * Loads code of the page. Waits for the server and loads again where a file is missing.
 *
 * @throws the error of `load`, where no file is missing or where the server has this page without the file
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

/** Links to style sheets that failed. The loader of Vite requests each style sheet only once. */
const failedStyles = new Set(
  // The page's own style sheets fail before this module listens. A failed one has no rules.
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

/**
 * Loads the style sheets again that failed, because the next view may need them.
 *
 * @throws Error where one of them fails again
 */
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

/** Starts a worker. Where its file is missing, starts another one later. @param use called with each worker */
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

/** All callers share the requests. @returns true where the server was away; never settles where it has another build of the page */
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

/** The build of the page on the server. The page for signing in and the error page of a proxy are not a build. */
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
