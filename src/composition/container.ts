import "reflect-metadata";
import { container, type DependencyContainer, instanceCachingFactory } from "tsyringe";
import { CheckHealth } from "../application/check-health.js";
import { GetSessionMessages } from "../application/get-session-messages.js";
import { GetSessionOrchestration } from "../application/get-session-orchestration.js";
import { GetSessionTrace } from "../application/get-session-trace.js";
import { ListSessions } from "../application/list-sessions.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { TOKENS } from "./tokens.js";

/** A container of its own for each inspector, because one process may mount several. */
export function createInspectorContainer(dataSource: InspectorDataSource): DependencyContainer {
  const child = container.createChildContainer();
  child.register(TOKENS.dataSource, { useValue: dataSource });
  const useCases = [
    [TOKENS.listSessions, ListSessions],
    [TOKENS.getSessionTrace, GetSessionTrace],
    [TOKENS.getSessionOrchestration, GetSessionOrchestration],
    [TOKENS.getSessionMessages, GetSessionMessages],
  ] as const;
  for (const [token, UseCase] of useCases) {
    child.register<unknown>(token, {
      useFactory: instanceCachingFactory((scope) => new UseCase(scope.resolve(TOKENS.dataSource))),
    });
  }
  child.register(TOKENS.checkHealth, { useFactory: instanceCachingFactory(() => new CheckHealth()) });
  return child;
}
