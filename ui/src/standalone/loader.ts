import { damaged } from "../../../src/adapters/archive/expand-blocks.js";
import { PACKED_ID, unpackText } from "../../../src/adapters/archive/packed-text.js";
import { OPENING_STRINGS as strings } from "../strings/opening-strings.js";
import { HANDED, type Unpacked } from "./protocol.js";

/**
 * The only script of the file as text: it unpacks the page, the worker's script and the archive, and starts the page. It also runs in
 * browsers that the page does not support, and says so.
 */
addEventListener("DOMContentLoaded", () => {
  open().catch(fail);
});
addEventListener("error", ({ message }) => fail(message));
addEventListener("unhandledrejection", ({ reason }) => fail(reason));

async function open(): Promise<void> {
  if (typeof DecompressionStream === "undefined") throw new Error(strings.tooOld);
  // The last element: without it, the file is truncated.
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

/** The file's Content-Security-Policy lists the digests of these: nothing else runs. */
function put(name: "script" | "style", content: string, type?: string): void {
  const element = document.createElement(name);
  if (type !== undefined) element.type = type;
  element.textContent = content;
  document.head.append(element);
}

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

function fail(reason: unknown): void {
  const state = document.getElementById("state");
  if (state === null) return;
  state.textContent = `${strings.failed} ${reason instanceof Error ? reason.message : String(reason)}`;
}
