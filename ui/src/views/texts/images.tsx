import { useState } from "react";
import type { ImageFacts } from "../../../../src/domain/conversation/images.js";
import { formatBytes, formatCount } from "../../../../src/domain/text/figures.js";
import { useAnswer } from "../../app/use-answer.js";
import type { DisplayedImage } from "../../engine/messages/displayed-images.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./images.module.css";

const { images: strings } = STRINGS;

interface ImagesProps {
  ask(): Promise<readonly DisplayedImage[]>;
}

/** Images inside a history, with their size. Others are named and never loaded. */
export default function Images({ ask }: ImagesProps) {
  const images = useAnswer(ask, []);
  return images?.map((image, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the images of a message have no other name, and never move
    <Image key={index} image={image} />
  ));
}

/** In an `img`, a drawing can neither run nor load anything. */
function Image({ image: { facts, source } }: { readonly image: DisplayedImage }) {
  const [isBroken, setBroken] = useState(false);
  if (facts.type === "elsewhere") {
    return (
      <p className={styles.note}>
        {strings.elsewhere}: <code>{facts.address}</code>
      </p>
    );
  }
  const isVisible = facts.type === "inside" && !isBroken;
  return (
    <figure className={styles.figure}>
      {isVisible && (
        <img
          src={source}
          alt={strings.image}
          width={facts.width}
          height={facts.height}
          decoding="async"
          data-drawing={facts.width === undefined}
          onError={() => setBroken(true)}
        />
      )}
      <figcaption>
        {!isVisible && `${facts.type === "too large" ? strings.tooLarge : strings.broken} · `}
        {sizeOf(facts)}
      </figcaption>
    </figure>
  );
}

function sizeOf(facts: Exclude<ImageFacts, { type: "elsewhere" }>): string {
  const { width, height, bytes } = facts;
  return [
    facts.type === "inside" ? facts.format : "",
    width === undefined || height === undefined
      ? ""
      : strings.pixels(formatCount(width), formatCount(height)),
    formatBytes(bytes),
  ]
    .filter(Boolean)
    .join(" · ");
}
