import { lazy, Suspense } from "react";
import { TextBlock } from "./text-block.js";

const FormattedText = lazy(() => import("../texts/formatted-text.js"));

/** What a model said: Markdown, once the code that renders it is there. */
export function SpokenBlock({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={<TextBlock text={text} />}>
      <FormattedText text={text} />
    </Suspense>
  );
}
