/** Is another one with every change of the code: `scripts/build.mjs` puts a hash of all modules in its place. */
export const BUILD_ID = "source";
