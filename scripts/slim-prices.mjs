import { parseSync } from "oxc-parser";

/** Sources of prices, and rules to extract usage. No cost depends on these. */
const UNUSED = new Set(["description", "extractors", "name", "price_comments", "pricing_urls"]);

/**
 * `@pydantic/genai-prices` without parts that the inspector does not use, half of its bytes: every exported file contains this module.
 * @param {string} code
 */
export function slimPrices(code) {
  const { program, errors } = parseSync("prices.js", code);
  if (errors.length > 0) throw new Error(errors[0].message);
  const providers = program.body
    .flatMap((statement) => (statement.type === "VariableDeclaration" ? statement.declarations : []))
    .map(({ init }) => init)
    .find((init) => init?.type === "ArrayExpression" && member(init.elements[0], "models") !== undefined);
  if (providers === undefined) throw new Error("The prices are no longer a list of providers with models.");
  const models = providers.elements.flatMap((provider) => member(provider, "models").value.elements);
  const unused = [...providers.elements, ...models]
    .flatMap(({ properties }) => properties.map((property, i) => ({ property, next: properties[i + 1] })))
    .filter(({ property }) => UNUSED.has(property.key.name))
    .sort((a, b) => a.property.start - b.property.start);
  const remaining = unused.map(({ property }, i) =>
    code.slice(i === 0 ? 0 : endOf(unused[i - 1]), property.start),
  );
  return [...remaining, code.slice(endOf(unused.at(-1)))].join("");
}

/** Includes the comma after it, as an object may end with a comma. */
function endOf({ property, next }) {
  return next?.start ?? property.end;
}

function member(object, name) {
  return object?.properties?.find(({ key }) => key.name === name);
}
