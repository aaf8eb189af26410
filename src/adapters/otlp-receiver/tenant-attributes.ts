import { isJsonObject, type JsonObject } from "../../domain/json/json.js";
import { TENANT_ATTRIBUTES } from "../spans/span-outline.js";

export function tenantAttributes(list: unknown): JsonObject {
  const attributes: { [name: string]: unknown } = {};
  if (!Array.isArray(list)) return attributes;
  for (const attribute of list) {
    const { key, value } = Object(attribute) as JsonObject;
    if (typeof key !== "string" || !TENANT_ATTRIBUTES.has(key) || !isJsonObject(value)) continue;
    [attributes[key]] = Object.values(value);
  }
  return attributes;
}
