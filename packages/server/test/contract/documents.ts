/**
 * Documents that the tests of the contract start from.
 * @module
 */

/** A scope that most callers are granted, in the shape of a query string too: without a mission. */
export const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;

/** The same place, shared by all subjects. */
export const sharedScope = { ...scope, visibility: 'shared' } as const;

/** A mission within {@link scope}. */
export const missionScope = { ...scope, mission_id: 'm' } as const;

/** A place that nobody is granted. */
export const ungranted = { ...scope, project_id: 'elsewhere' } as const;

/** The least that a record is made of. */
export const minimalRecord = {
  episode_type: 'Observation',
  content: { primary: 'x' },
  event_time_millis: 0,
} as const;

/** A record with these members in place of the minimal ones. */
export function record(members: Record<string, unknown>): Record<string, unknown> {
  return { ...minimalRecord, ...members };
}

/** A record with this content beside a primary text. */
export function recordOf(content: Record<string, unknown>): Record<string, unknown> {
  return record({ content: { primary: 'x', ...content } });
}

/** The least that a credential is issued with. */
export const minimalSpec = {
  subject_id: 's',
  capabilities: ['memory_read'],
  grants: [],
} as const;

/** A spec with these members in place of the minimal ones. */
export function spec(members: Record<string, unknown>): Record<string, unknown> {
  return { ...minimalSpec, ...members };
}

/** A policy that permits every scope. */
export const openPolicy = {
  version: 'company_scopes_v1',
  projects: { mode: 'all' },
  agents: { mode: 'all' },
  missions: { mode: 'all' },
  allow_unassigned_mission: true,
  visibilities: ['private', 'shared'],
} as const;

/** A UUID that names nothing. */
export const unknownId = '01900000-0000-7000-8000-000000000000';

/** Lone names, each of which breaks the text rule. */
export const badTexts: readonly (readonly [name: string, text: string])[] = [
  ['empty', ''],
  ['blank', ' \u2003\u00a0'],
  ['257 bytes', 'a'.repeat(257)],
  ['129 characters of 2 bytes', 'é'.repeat(129)],
  ['line feed', 'a\nb'],
  ['NUL', 'a\u0000'],
  ['DEL', 'a\u007f'],
  ['C1 control', 'a\u0085b'],
];

/** Texts at the edges of what the text rule permits. */
export const goodTexts: readonly (readonly [name: string, text: string])[] = [
  ['256 bytes', 'a'.repeat(256)],
  ['128 characters of 2 bytes', 'é'.repeat(128)],
  ['byte order mark', '\ufeff'],
  ['zero width space', '\u200b'],
  ['spaces around', ' a '],
];
