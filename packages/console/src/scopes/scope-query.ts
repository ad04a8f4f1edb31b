/** Scopes in addresses, and as people read them. */
import type { ScopeInput } from '@agentkeep/client';
import { seenText } from '../parts/name.js';
import type { Query } from '../routing/address.js';

/** Most scopes of one search of the server (docs/contract/search.md#sea-4). */
export const SEARCH_SCOPES_MAX = 16;

/** A scope that a screen shows. */
export interface ShownScope {
  readonly scope: ScopeInput;
  /** Whose private scope it is, if it is not that of the caller. */
  readonly subjectId: string | undefined;
}

/** Returns the query of a scope. */
export function scopeQuery({ scope, subjectId }: ShownScope): Query {
  const { project_id, agent_id, mission_id, visibility } = scope;
  return {
    project: project_id,
    agent: agent_id,
    mission: mission_id ?? undefined,
    visibility,
    subject: visibility === 'private' ? subjectId : undefined,
  };
}

/** Returns the scope of a query, or `undefined` if it names none. */
export function scopeOfQuery(query: URLSearchParams): ShownScope | undefined {
  const [project, agent] = [query.get('project'), query.get('agent')];
  const visibility = query.get('visibility');
  if (project === null || agent === null) return undefined;
  if (visibility !== 'private' && visibility !== 'shared') return undefined;
  const mission = query.get('mission');
  const names = { project_id: project, agent_id: agent, visibility } as const;
  const scope = mission === null ? names : { ...names, mission_id: mission };
  return { scope, subjectId: query.get('subject') ?? undefined };
}

/** Returns the names of a scope. */
export function scopeText({ project_id, mission_id, agent_id }: ScopeInput): string {
  return [project_id, mission_id ?? [], agent_id].flat().map(seenText).join(' / ');
}

/** Returns whether two scopes are the same. */
export function isSameScope(one: ScopeInput, other: ScopeInput): boolean {
  return (
    one.project_id === other.project_id &&
    one.agent_id === other.agent_id &&
    (one.mission_id ?? null) === (other.mission_id ?? null) &&
    one.visibility === other.visibility
  );
}
