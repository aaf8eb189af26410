/** Whether this is `npm run test:soak`, which takes its time. */
const IS_SOAK = process.env.SOAK === "1";

/** How much of something: little in each day's tests, all of it in a soak. */
export function sized<T extends number | string | object>(daily: T, soak: T): T {
  return IS_SOAK ? soak : daily;
}

/** How often a property is tried: a tenth of it in each day's tests, at least ten times. */
export function runs(soak: number): number {
  return sized(Math.min(soak, Math.max(10, Math.round(soak / 10))), soak);
}
