import { isJsonObject, objectField } from "../../../../src/domain/json/json.js";
import { ApiError } from "../../api/api-problem.js";
import { request } from "../../api/request.js";

/**
 * @param at instant of the call, in ISO 8601. Default is now
 * @returns `undefined` if it is not available, or if the request fails
 */
export async function modelWindow(base: string, model: string, at?: string): Promise<number | undefined> {
  if (model === "") return undefined;
  try {
    const response = await request(base, "/model", { model, at });
    const answer: unknown = await response.json();
    const window = isJsonObject(answer) ? objectField(answer, "rates").contextWindow : undefined;
    return typeof window === "number" ? window : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
