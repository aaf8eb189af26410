import { useSyncExternalStore } from "react";

/** A value outside of components: a change redraws only the components that use it. */
export class Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get = (): T => this.#value;

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

export function mediaStore(query: string): Store<boolean> {
  const media = matchMedia(query);
  const store = new Store(media.matches);
  media.addEventListener("change", () => store.set(media.matches));
  return store;
}
