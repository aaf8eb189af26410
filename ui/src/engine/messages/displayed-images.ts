import { type ImageFacts, imageFacts, imagesIn } from "../../../../src/domain/conversation/images.js";

export interface DisplayedImage {
  readonly facts: ImageFacts;
  readonly source: string;
}

export function displayedImages(sources: readonly string[]): DisplayedImage[] {
  return sources.map((source) => {
    const facts = imageFacts(source);
    return { facts, source: facts.type === "inside" ? source : "" };
  });
}

export function imagesOfEnvelopes(text: string): DisplayedImage[] {
  // Few histories have images: avoids parsing the others once more.
  return /image/.test(text) ? displayedImages(imagesIn(JSON.parse(text))) : [];
}
