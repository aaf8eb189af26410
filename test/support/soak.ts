const IS_SOAK = process.env.SOAK === "1";

/** A small value for each day's tests, a large one for a soak. */
export function sized<T extends number | string | object>(daily: T, soak: T): T {
  return IS_SOAK ? soak : daily;
}

/** Runs of a property: a twentieth in each day's tests, at least ten. */
export function runs(soak: number): number {
  return sized(Math.min(soak, Math.max(10, Math.round(soak / 20))), soak);
}
