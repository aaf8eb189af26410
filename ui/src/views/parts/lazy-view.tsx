import { type ComponentType, lazy, useState } from "react";

/**
 * A component whose code is loaded when it is first shown. Unlike with `lazy` alone, what could not be loaded is asked for again when
 * the component is mounted anew, such as by a boundary that tries again.
 */
export function lazyView<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): ComponentType<Props> {
  const begin = () =>
    lazy(async () => {
      try {
        await loadStylesAgain();
        return await load();
      } catch (error) {
        current = begin();
        throw error;
      }
    });
  let current = begin();
  return function LazyView(props: Props) {
    // The same one as long as it is mounted: another would be asked for at each failure.
    const [View] = useState(() => current);
    return <View {...props} />;
  };
}

/** A style sheet that failed is not asked for again by what loads the code that needs it: its link is put in anew. */
async function loadStylesAgain(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const failed = links.filter(({ sheet, href }) => sheet === null && failedStyles.has(href));
  await Promise.all(
    failed.map((link) => {
      const again = link.cloneNode() as HTMLLinkElement;
      const loaded = new Promise<void>((resolve, reject) => {
        again.addEventListener("load", () => resolve());
        again.addEventListener("error", () => reject(new Error("Unable to preload CSS")));
      });
      link.replaceWith(again);
      return loaded.then(() => void failedStyles.delete(again.href));
    }),
  );
}

const failedStyles = new Set<string>();
addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement) failedStyles.add(target.href);
  },
  true,
);
