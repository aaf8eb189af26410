import { type ImageFacts, imageFacts, imagesIn } from "../../../src/domain/conversation/images.js";

/** An image to display, and its source. */
export interface ShownImage {
  readonly facts: ImageFacts;
  /** Empty if the image is not displayed. */
  readonly source: string;
}

export function shownImages(sources: readonly string[]): ShownImage[] {
  return sources.map((source) => {
    const facts = imageFacts(source);
    return { facts, source: facts.type === "inside" ? source : "" };
  });
}

/** The images in the envelopes of a span, uncut. */
export function imagesOfEnvelopes(text: string): ShownImage[] {
  // Few histories have images; most are spared to be parsed once more.
  return /image/.test(text) ? shownImages(imagesIn(JSON.parse(text))) : [];
}
