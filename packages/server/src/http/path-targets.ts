/** Lists the paths of the service with the target of each method. */
import { type OperationName, operations } from '@agentkeep/core';
import type { Operation, Surface } from '@agentkeep/core/transport';
import { contractText } from '../openapi/document.js';
import { contractRoute, parameterOf, type Route, routes } from '../routes.js';

/** The target of a method of a path: an operation, or a fixed JSON text that requires no proof. */
export type Target =
  { readonly operation: Operation; readonly status: number } | { readonly text: string };

/** A path and its supported methods. */
export interface PathTargets {
  /** The path template, with its only variable segment in braces. */
  readonly path: string;
  /** Decides the shape of errors. */
  readonly surface: Surface;
  readonly byMethod: ReadonlyMap<string, Target>;
}

/** Returns all paths. A fixed path precedes a template that also matches it. */
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
