/** Calls that name resources, as the links of their operations say where. */
import type { OperationName } from '@agentkeep/core';
import { type CallParts, callOf, linksOf } from './every-operation.js';
import { replaceAt, valueAt } from './member-paths.js';

/** The resource of each kind, as requests name it: by its `id`, `revision` and so on. */
export type Resources = Readonly<Record<string, object>>;

/** Returns the call of an operation in a scope, with the resources in it that it can name. */
export function callOn(name: OperationName, scope: object, resources: Resources): CallParts {
  const { id, parameters, document } = structuredClone(callOf(name, scope));
  const parts = { path: { id }, query: parameters, document };
  for (const { kind, members } of linksOf(name).uses ?? []) {
    const resource = resources[kind];
    if (resource === undefined) continue;
    for (const [target, source] of Object.entries(members)) {
      // Whatever a path calls its parameter, it is the id of the call.
      const place = target.startsWith('path.') ? 'path.id' : target;
      replaceAt(parts, place, valueAt(resource, source));
    }
  }
  return {
    ...(id === undefined ? {} : { id: parts.path.id }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(document === undefined ? {} : { document }),
  };
}
