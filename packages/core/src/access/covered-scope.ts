/** The scope of a stored namespace, for a credential that may act in it. */
import { coversScope } from './grant-policy.js';
import type { NamespaceParts } from './namespace.js';
import type { ActingCredential } from './principal.js';
import type { Scope } from './scope.js';

/**
 * Returns the scope of a namespace, or `undefined` where the credential does not cover it. A
 * private namespace is covered for its own subject only.
 */
export function coveredScope({ spec }: ActingCredential, parts: NamespaceParts): Scope | undefined {
  const subjectId = parts[4];
  const scope = scopeOfParts(parts);
  const isOwn = subjectId === null || subjectId === spec.subject_id;
  return isOwn && coversScope(spec, scope) ? scope : undefined;
}

/** Returns the scope of a namespace. */
export function scopeOfParts([
  project_id,
  mission_id,
  agent_id,
  visibility,
]: NamespaceParts): Scope {
  return { project_id, mission_id, agent_id, visibility } as Scope;
}
