/** The settings in the URL of a connection: its tools, and the scope of calls that name none. */
import { AgentkeepError, type ScopeInput } from '@agentkeep/client';
import type { McpCaller, McpProfile } from '../mcp-caller.js';

const profiles: readonly McpProfile[] = ['agentkeep', 'graph'];
const scopeMembers = ['project_id', 'mission_id', 'agent_id', 'visibility'];

/**
 * Reads `profile`, `project_id`, `mission_id`, `agent_id` and `visibility` of a query.
 * @throws {AgentkeepError} `invalid_request` for an unknown or repeated name, an unknown profile,
 * or part of a scope.
 */
export function connectionSettings(query: URLSearchParams): Omit<McpCaller, 'agent'> {
  for (const name of query.keys()) {
    const isKnown = name === 'profile' || scopeMembers.includes(name);
    if (!isKnown || query.getAll(name).length > 1) throw refused(name, 'a known name, once');
  }
  const scope = scopeIn(query);
  const profile = profiles.find((each) => each === (query.get('profile') ?? 'agentkeep'));
  if (profile === undefined) throw refused('profile', profiles.join(' or '));
  if (profile === 'graph' && scope === undefined) {
    throw refused('project_id', 'a scope, which the profile graph needs');
  }
  return { profile, scope };
}

function scopeIn(query: URLSearchParams): ScopeInput | undefined {
  if (!scopeMembers.some((name) => query.has(name))) return undefined;
  const [project, agent] = [query.get('project_id'), query.get('agent_id')];
  const visibility = query.get('visibility') ?? 'private';
  if (project === null || agent === null) throw refused('project_id', 'a text, and agent_id too');
  if (visibility !== 'private' && visibility !== 'shared') {
    throw refused('visibility', 'private or shared');
  }
  const members = { project_id: project, agent_id: agent, visibility } as const;
  const mission = query.get('mission_id');
  return mission === null ? members : { ...members, mission_id: mission };
}

function refused(path: string, expected: string): AgentkeepError {
  return new AgentkeepError('invalid_request', { members: [{ path, expected }] });
}
