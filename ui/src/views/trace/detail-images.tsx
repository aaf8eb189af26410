import { lazy, Suspense } from "react";
import { engine } from "../../app/engine.js";
import type { SpanDetail } from "../../engine/trace-protocol.js";

const Images = lazy(() => import("../texts/images.js"));

/** The images in what a step was given and gave. */
export function DetailImages({ detail: { row, start, end } }: { readonly detail: SpanDetail }) {
  if (!holdsImage([start, end])) return null;
  return (
    <Suspense fallback={null}>
      <Images ask={() => engine.call("traceImages", row.id)} />
    </Suspense>
  );
}

/** Deeper than any tool nests what it gives. */
const MAX_DEPTH = 12;

const MEDIA_MEMBERS = ["type", "modality", "mime_type", "mediaType"];

/** Whether an image may be in it. Their data may be cut here; the engine has them whole. */
function holdsImage(value: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return false;
  if ("inlineData" in value || "inline_data" in value) return true;
  const isImage = (name: string) => {
    const kind: unknown = Reflect.get(value, name);
    return typeof kind === "string" && kind.includes("image");
  };
  return MEDIA_MEMBERS.some(isImage) || Object.values(value).some((member) => holdsImage(member, depth + 1));
}
