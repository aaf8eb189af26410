/** `scripts/build.mjs` replaces it by a hash of all modules: each change of the code has another id. */
export const BUILD_ID = "source";
