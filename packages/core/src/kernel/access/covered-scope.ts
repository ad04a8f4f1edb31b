/** The scopes of stored namespaces, also as a credential covers them. */
import { coversScope } from './grant-policy.js';
import type { NamespaceParts } from './namespace.js';
import type { ActingCredential } from './principal.js';
import type { MemoryScope, Scope } from './scope.js';

/**
 * Returns the scope of a namespace, or `undefined` where the credential does not cover it. A
 * private namespace is covered for its own subject only.
 */
export function coveredScope(
  { spec }: ActingCredential,
  parts: NamespaceParts,
): MemoryScope | undefined {
  const subjectId = parts[4];
  const scope = scopeOfParts(parts);
  const isOwn = subjectId === null || subjectId === spec.subject_id;
  return isOwn && coversScope(spec, scope) ? scope : undefined;
}

/** Returns the scope of a namespace. */
export function scopeOfParts(parts: NamespaceParts): MemoryScope {
  const [project_id, mission_id, agent_id, visibility, , branch] = parts;
  const scope = { project_id, mission_id, agent_id, visibility } as MemoryScope;
  return branch === undefined ? scope : { ...scope, branch };
}

/** Returns whether a namespace is in a scope. Private ones of every subject are. */
export function isInScope(
  [project, mission, agent, visibility]: NamespaceParts,
  scope: Scope,
): boolean {
  return (
    project === scope.project_id &&
    mission === scope.mission_id &&
    agent === scope.agent_id &&
    visibility === scope.visibility
  );
}
