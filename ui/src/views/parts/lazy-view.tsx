import { type ComponentType, lazy, useState } from "react";
import { loadStyles } from "../../app/page-files.js";

/**
 * A component whose code is loaded when it is first rendered. Unlike with `lazy` alone, code that could not be loaded is requested again when
 * the component is mounted again, such as by a boundary that retries.
 */
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
    // The same component while it is mounted: a new one would request the code at each failure.
    const [View] = useState(() => current);
    return <View {...props} />;
  };
}
