/** Lists the paths of the service with the target of each method. */
import { type OperationName, operations } from '@agentkeep/core';
import type { Operation, Surface } from '@agentkeep/core/transport';
import { contractText } from '../openapi/contract-text.js';
import { contractRoute, parameterOf, type Route, routes } from '../routes.js';

/** The target of a method of a path: an operation, or a JSON text that requires no proof. */
export type Target =
  | { readonly operation: Operation; readonly status: number }
  | { readonly text: () => Promise<string> };

/** A path and its supported methods. */
export interface PathTargets {
  /** The path template, with its only variable segment in braces. */
  readonly path: string;
  /** Index of the variable segment, where there is one; 0 is before the first slash. */
  readonly parameterIndex: number | undefined;
  /** Decides the shape of errors. */
  readonly surface: Surface;
  readonly byMethod: ReadonlyMap<string, Target>;
}

/** Returns all paths. */
export function pathTargets(): PathTargets[] {
  const byPath = new Map<string, PathTargets & { readonly byMethod: Map<string, Target> }>();
  const add = ({ path, method }: Route, surface: Surface, target: Target): void => {
    const known = byPath.get(path) ?? {
      path,
      parameterIndex: parameterIndexOf(path),
      surface,
      byMethod: new Map<string, Target>(),
    };
    known.byMethod.set(method, target);
    byPath.set(path, known);
  };
  for (const name of Object.keys(routes) as OperationName[]) {
    const operation: Operation = operations[name];
    add(routes[name], operation.surface, { operation, status: routes[name].status });
  }
  add(contractRoute, 'platform', { text: contractText });
  return [...byPath.values()];
}

function parameterIndexOf(path: string): number | undefined {
  if (parameterOf(path) === undefined) return undefined;
  return path.split('/').findIndex((segment) => segment.startsWith('{'));
}
