/** URIs of scopes and records: `agentkeep://scope/…` and, with a mission, `agentkeep://mission/…`. */
import type { ScopeInput } from '@agentkeep/client';

/** The resource that a URI names: a scope, or a record of it. */
export interface NamedResource {
  readonly scope: ScopeInput;
  readonly recordId?: string;
}

const RECORDS = 'records';

/** Templates of all URIs, by what they name. */
export const uriTemplates = {
  scope: 'agentkeep://scope/{project_id}/{agent_id}/{visibility}',
  mission: 'agentkeep://mission/{project_id}/{mission_id}/{agent_id}/{visibility}',
} as const;

/** Returns the template of the records of a scope. */
export function recordTemplate(ofScope: string): string {
  return `${ofScope}/${RECORDS}/{record_id}`;
}

/** Returns the URI of a scope. */
export function uriOfScope(scope: ScopeInput): string {
  const { project_id: project, mission_id: mission, agent_id: agent, visibility } = scope;
  const isOfMission = mission !== null && mission !== undefined;
  const parts = isOfMission ? [project, mission, agent] : [project, agent];
  const kind = isOfMission ? 'mission' : 'scope';
  return `agentkeep://${kind}/${[...parts, visibility].map(encodeURIComponent).join('/')}`;
}

/** Returns the URI of a record. */
export function uriOfRecord(scope: ScopeInput, recordId: string): string {
  return `${uriOfScope(scope)}/${RECORDS}/${recordId}`;
}

/** Returns the resource that a URI names, or `undefined` if it is none of these URIs. */
export function resourceOf(uri: string): NamedResource | undefined {
  const [, kind, path = ''] = /^agentkeep:\/\/(scope|mission)\/([^?#]+)$/.exec(uri) ?? [];
  const parts = decoded(path);
  if (kind === undefined || parts === undefined) return undefined;
  const size = kind === 'mission' ? 4 : 3;
  const scope = scopeOfParts(parts.slice(0, size), kind === 'mission');
  if (scope === undefined) return undefined;
  const [records, recordId, ...more] = parts.slice(size);
  if (records === undefined) return { scope };
  if (records !== RECORDS || recordId === undefined || more.length > 0) return undefined;
  return { scope, recordId };
}

function decoded(path: string): string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function scopeOfParts(parts: readonly string[], hasMission: boolean): ScopeInput | undefined {
  const [project, ...rest] = parts;
  const mission = hasMission ? { mission_id: rest.shift() ?? '' } : {};
  const [agent, visibility] = rest;
  if (project === undefined || agent === undefined) return undefined;
  if (visibility !== 'private' && visibility !== 'shared') return undefined;
  return { project_id: project, ...mission, agent_id: agent, visibility };
}
