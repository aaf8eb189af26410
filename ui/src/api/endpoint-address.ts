import type {
  AnswerOf,
  ENDPOINTS,
  EndpointId,
  QueryOf,
} from "../../../src/application/questions/endpoints.js";

type PathOf<Id extends EndpointId> = (typeof ENDPOINTS)[Id]["path"];
type IdAt<Path> = { readonly [Id in EndpointId]: PathOf<Id> extends Path ? Id : never }[EndpointId];

/** Parameters are in braces. */
export type EndpointPath = PathOf<EndpointId>;
export type QueryAt<Path extends EndpointPath> = QueryOf<IdAt<Path>>;
export type AnswerAt<Path extends EndpointPath> = AnswerOf<IdAt<Path>>;

/** @param base without a slash at its end */
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
