import { type ComponentType, lazy, useState } from "react";
import { loadStyles } from "../../app/page-files.js";

/** Unlike `lazy` alone, requests code that failed to load again when the component is mounted again. */
export function lazyView<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): ComponentType<Props> {
  const begin = () =>
    lazy(async () => {
      try {
        await loadStyles();
        return await load();
      } catch (error) {
        current = begin();
        throw error;
      }
    });
  let current = begin();
  return function LazyView(props: Props) {
    // Stable while mounted: a new component would request the code at each failure.
    const [View] = useState(() => current);
    return <View {...props} />;
  };
}
