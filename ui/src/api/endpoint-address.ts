import type {
  AnswerOf,
  ENDPOINTS,
  EndpointId,
  QueryOf,
} from "../../../src/application/questions/endpoints.js";

type PathOf<Id extends EndpointId> = (typeof ENDPOINTS)[Id]["path"];
type IdAt<Path> = { readonly [Id in EndpointId]: PathOf<Id> extends Path ? Id : never }[EndpointId];

/** Path of an endpoint of the API, with the names of parameters in braces. */
export type EndpointPath = PathOf<EndpointId>;
export type QueryAt<Path extends EndpointPath> = QueryOf<IdAt<Path>>;
export type AnswerAt<Path extends EndpointPath> = AnswerOf<IdAt<Path>>;

/**
 * The address of an endpoint, with its parameters in the path or in the query.
 *
 * @param base the address of the API, without a slash at its end
 */
export function endpointAddress<Path extends EndpointPath>(
  base: string,
  path: Path,
  query: QueryAt<Path>,
): string {
  const parameters = new URLSearchParams();
  let filled: string = path;
  for (const [name, value] of Object.entries(query)) {
    const before = filled;
    filled = before.replace(`{${name}}`, () => encodeURIComponent(String(value)));
    if (filled === before && value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? base + filled : `${base}${filled}?${parameters}`;
}
