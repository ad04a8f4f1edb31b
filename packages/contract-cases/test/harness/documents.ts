/** Documents that the tests of the contract start from. */

/** A scope granted to most callers. It has no mission, so that it also works as a query string. */
export const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;

/** The same scope, shared by all subjects. */
export const sharedScope = { ...scope, visibility: 'shared' } as const;

/** A mission within {@link scope}. */
export const missionScope = { ...scope, mission_id: 'm' } as const;

/** A scope that no caller is granted. */
export const ungranted = { ...scope, project_id: 'elsewhere' } as const;

/** The smallest valid record. */
export const minimalRecord = {
  episode_type: 'Observation',
  content: { primary: 'x' },
  event_time_millis: 0,
} as const;

/** Returns the minimal record with some members replaced. */
export function record(members: Record<string, unknown>): Record<string, unknown> {
  return { ...minimalRecord, ...members };
}

/** Returns a record with this content beside a primary text. */
export function recordOf(content: Record<string, unknown>): Record<string, unknown> {
  return record({ content: { primary: 'x', ...content } });
}

/** The smallest valid credential spec. */
export const minimalSpec = {
  subject_id: 's',
  capabilities: ['memory_read'],
  grants: [],
} as const;

/** Returns the minimal spec with some members replaced. */
export function spec(members: Record<string, unknown>): Record<string, unknown> {
  return { ...minimalSpec, ...members };
}

/** A scope policy that permits every scope. */
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

/** Texts that each break the text rule, with names. */
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

/** Texts at the limits of the text rule that are usernames, too. */
export const goodNames: readonly (readonly [name: string, text: string])[] = [
  ['256 bytes', 'a'.repeat(256)],
  ['128 characters of 2 bytes', 'é'.repeat(128)],
];

/** Texts that follow the text rule, but are no usernames. */
export const unseenTexts: readonly (readonly [name: string, text: string])[] = [
  ['byte order mark', '\ufeff'],
  ['zero width space', '\u200b'],
  ['spaces around', ' a '],
];

/** Texts at the limits of the text rule. */
export const goodTexts = [...goodNames, ...unseenTexts] as const;
