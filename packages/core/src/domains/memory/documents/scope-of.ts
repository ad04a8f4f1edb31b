/** The scope that query parameters name. */
import type { MemoryScope } from '../../../kernel/access/scope.js';
import type { ScopeParameters } from './schema.js';

/** Returns the scope that the parameters of a read name. */
export function scopeOf(parameters: ScopeParameters): MemoryScope {
  const { project_id, mission_id, agent_id, visibility, branch } = parameters;
  const mission = mission_id ?? null;
  if (branch === undefined) return { project_id, mission_id: mission, agent_id, visibility };
  return { project_id, mission_id: mission, agent_id, visibility, branch };
}
