import { Hono } from "hono";
import { createInspectorContainer, createInspectorRoute, InProcessPool } from "../../src/advanced.js";
import { INSPECTOR_PATH, type InspectorDataSource } from "../../src/index.js";

export async function inspect(source: InspectorDataSource, path: string): Promise<Response> {
  const app = new Hono();
  const unexpected = (error: unknown) => {
    throw error;
  };
  // Threads have other tests, and start slowly from source.
  const container = createInspectorContainer(source, { pool: new InProcessPool() });
  app.route(INSPECTOR_PATH, createInspectorRoute(container, { onError: unexpected }));
  return app.request(`${INSPECTOR_PATH}${path}`);
}

export async function inspectJson<T>(source: InspectorDataSource, path: string): Promise<T> {
  const response = await inspect(source, path);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
