import { Suspense } from "react";
import { lazyView } from "../parts/lazy-view.js";
import { TextBlock } from "./text-block.js";

const FormattedText = lazyView(() => import("./formatted-text.js"));

export function SpokenBlock({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={<TextBlock text={text} />}>
      <FormattedText text={text} />
    </Suspense>
  );
}
