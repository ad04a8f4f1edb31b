/** Lists the paths of the service with what answers each of their methods. */
import { type OperationName, operations } from '@agentkeep/core';
import type { Operation, Surface } from '@agentkeep/core/transport';
import { contractText } from '../openapi/document.js';
import { contractRoute, parameterOf, type Route, routes } from '../routes.js';

/** Answers a method of a path: an operation, or a fixed JSON text that needs no proof. */
export type Target =
  { readonly operation: Operation; readonly status: number } | { readonly text: string };

/** A path and the methods that it takes. */
export interface PathTargets {
  /** The path template; `{…}` stands for its one variable segment. */
  readonly path: string;
  /** Decides the shape of errors. */
  readonly surface: Surface;
  readonly byMethod: ReadonlyMap<string, Target>;
}

/** Returns all paths; a fixed one comes before one with a parameter that would match it as well. */
export function pathTargets(): PathTargets[] {
  const byPath = new Map<string, PathTargets & { readonly byMethod: Map<string, Target> }>();
  const add = ({ path, method }: Route, surface: Surface, target: Target): void => {
    const known = byPath.get(path) ?? { path, surface, byMethod: new Map<string, Target>() };
    known.byMethod.set(method, target);
    byPath.set(path, known);
  };
  for (const name of Object.keys(routes) as OperationName[]) {
    const operation: Operation = operations[name];
    add(routes[name], operation.surface, { operation, status: routes[name].status });
  }
  add(contractRoute, 'platform', { text: contractText });
  const variables = ({ path }: PathTargets): number => (parameterOf(path) === undefined ? 0 : 1);
  return [...byPath.values()].sort((one, other) => variables(one) - variables(other));
}
