/** The scope that query parameters name. */
import type { Scope } from '../../access/scope.js';
import type { ScopeParameters } from './schema.js';

/** Returns the scope that the parameters of a read name. */
export function scopeOf(parameters: ScopeParameters): Scope {
  const { project_id, mission_id, agent_id, visibility } = parameters;
  return { project_id, mission_id: mission_id ?? null, agent_id, visibility };
}
