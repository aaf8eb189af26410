// `--import` of this file gives a process the oldest supported version of hono.
import { register } from "node:module";

const hook = `export const resolve = (specifier, context, next) =>
  next(specifier.replace(/^hono(?=$|\\/)/, "hono-oldest"), context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
