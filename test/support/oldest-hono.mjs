// `--import` of this file gives a process the oldest version of hono that the package may be installed with.
import { register } from "node:module";

const hook = `export const resolve = (specifier, context, next) =>
  next(specifier.replace(/^hono(?=$|\\/)/, "hono-oldest"), context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
