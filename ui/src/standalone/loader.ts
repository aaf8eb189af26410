import { damaged } from "../../../src/adapters/archive/expand-blocks.js";
import { PACKED_ID, unpackText } from "../../../src/adapters/archive/packed-text.js";
import { OPENING_STRINGS as strings } from "../strings/opening-strings.js";
import { HANDED, type Unpacked } from "./protocol.js";

/**
 * The one script that stands in the file as text: it unpacks the page, what the page's worker runs and the archive, and starts the page. It
 * runs in browsers that the page does not run in, and says so there.
 */
addEventListener("DOMContentLoaded", () => {
  open().catch(fail);
});
addEventListener("error", ({ message }) => fail(message));
addEventListener("unhandledrejection", ({ reason }) => fail(reason));

async function open(): Promise<void> {
  if (typeof DecompressionStream === "undefined") throw new Error(strings.tooOld);
  // The last element: where it is missing, so is some of what comes before it.
  if (document.getElementById("end") === null) throw new Error(strings.brokenOff);
  const archive = take(PACKED_ID);
  const [style, worker, page] = await Promise.all([textOf("style"), textOf("worker"), textOf("page")]);
  const unpacked: Unpacked = {
    worker: URL.createObjectURL(new Blob([worker], { type: "text/javascript" })),
    archive,
    fail,
  };
  Object.defineProperty(globalThis, HANDED, { value: unpacked });
  put("style", style);
  put("script", page, "module");
}

/** Adds what the file's Content-Security-Policy names by its digest: anything else would not be run. */
function put(name: "script" | "style", content: string, type?: string): void {
  const element = document.createElement(name);
  if (type !== undefined) element.type = type;
  element.textContent = content;
  document.head.append(element);
}

/** The bytes that an element holds, which is not needed any more. */
function take(id: string): Uint8Array<ArrayBuffer> {
  const element = document.getElementById(id);
  const bytes = unpackText(element?.textContent ?? "");
  element?.remove();
  return bytes as Uint8Array<ArrayBuffer>;
}

function textOf(id: string): Promise<string> {
  const bytes = new Blob([take(id)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(bytes).text().catch(() => Promise.reject(damaged("it cannot be unpacked")));
}

/** Once the page is visible, it reports its errors itself. */
function fail(reason: unknown): void {
  const state = document.getElementById("state");
  if (state === null) return;
  state.textContent = `${strings.failed} ${reason instanceof Error ? reason.message : String(reason)}`;
}
