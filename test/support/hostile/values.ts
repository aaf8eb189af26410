import { SourceUnavailableError } from "../../../src/advanced.js";

export const SECRET = "/home/ada/secret";

export const failure = () => new Error(SECRET);

export const fail = (): never => {
  throw failure();
};

export function unreadable(error: Error): Error {
  void error.stack; // V8 builds it from the other members at the first reading
  const getters = ["name", "message", "stack", "cause"].map((member) => [member, { get: fail }]);
  return Object.defineProperties(error, Object.fromEntries(getters));
}

/** Every operation on it throws. */
export const untouchable = (): object => new Proxy({}, new Proxy({}, { get: () => fail }));

export const rejecting = () => Promise.reject(failure());

export const MISBEHAVIOURS: Readonly<Record<string, unknown>> = {
  "rejects with an error": () => Promise.reject(failure()),
  "rejects with nothing": () => Promise.reject(),
  "rejects with a string": () => Promise.reject(SECRET),
  "rejects with an error that cannot be read": () => Promise.reject(unreadable(failure())),
  "rejects with an unavailability that cannot be read": () =>
    Promise.reject(unreadable(new SourceUnavailableError(SECRET))),
  "rejects with a proxy that throws": () => Promise.reject(untouchable()),
  "throws in sync": fail,
  "gives a proxy that throws": async () => untouchable(),
  // biome-ignore lint/suspicious/noThenProperty: what is tested
  "gives a thenable that throws": () => ({ then: fail }),
  "gives a thenable that settles twice": () => ({
    // biome-ignore lint/suspicious/noThenProperty: what is tested
    then(_: unknown, reject: (error: unknown) => void) {
      reject(failure());
      reject(failure());
      fail();
    },
  }),
  "gives undefined": async () => undefined,
  "gives a number": async () => 42,
  "is no function": 42,
  "never answers": () => new Promise(() => undefined),
};
