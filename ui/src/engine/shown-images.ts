import { type ImageFacts, imageFacts, imagesIn } from "../../../src/domain/conversation/images.js";

export interface ShownImage {
  readonly facts: ImageFacts;
  readonly source: string;
}

export function shownImages(sources: readonly string[]): ShownImage[] {
  return sources.map((source) => {
    const facts = imageFacts(source);
    return { facts, source: facts.type === "inside" ? source : "" };
  });
}

export function imagesOfEnvelopes(text: string): ShownImage[] {
  // Few histories have images: avoids parsing the others once more.
  return /image/.test(text) ? shownImages(imagesIn(JSON.parse(text))) : [];
}
