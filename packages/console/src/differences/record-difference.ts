/** Differences of two states of a record, member by member. */
import type { EpisodeType, MemoryRecord } from '@agentkeep/client';
import { timeText } from '../parts/time.js';
import { type TextPart, textDifference } from './text-difference.js';

/** What a record says, as far as people compare it. */
export type RecordState = Pick<MemoryRecord, 'payload'> & { readonly name?: string | undefined };

/** The members that are compared, in the order in which they are shown. */
const comparedMembers = [
  ...(['name', 'primary', 'secondary', 'context', 'tags', 'type', 'event'] as const),
  ...(['validUntil', 'source', 'derivedFrom', 'metadata', 'data'] as const),
] as const;

/** A member that is compared. */
type ComparedMember = (typeof comparedMembers)[number];

/** A member that differs. */
export interface MemberDifference {
  readonly member: ComparedMember;
  readonly parts: readonly TextPart[];
}

/** Returns the members that differ. A state that is absent has none. */
export function recordDifference(
  before: RecordState | undefined,
  after: RecordState | undefined,
): readonly MemberDifference[] {
  const [one, two] = [membersOf(before), membersOf(after)];
  return comparedMembers
    .filter((member) => one[member] !== two[member])
    .map((member) => ({ member, parts: partsOf(member, one[member], two[member]) }));
}

/** Members that have one value, which is shown as replaced. */
const SINGLE: ReadonlySet<ComparedMember> = new Set(['type', 'event', 'validUntil', 'source']);

function partsOf(member: ComparedMember, before: string, after: string): readonly TextPart[] {
  if (!SINGLE.has(member)) return textDifference(before, after);
  const parts: TextPart[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
  return parts.filter(({ text }) => text !== '');
}

const NOTHING: Readonly<Record<ComparedMember, string>> = Object.freeze(
  Object.fromEntries(comparedMembers.map((member) => [member, ''])) as Record<
    ComparedMember,
    string
  >,
);

/** Returns the members of a state as texts; those without a value are empty. */
function membersOf(state: RecordState | undefined): Record<ComparedMember, string> {
  if (state === undefined) return NOTHING;
  const { name = '', payload } = state;
  const { content, tags, metadata, derived_from: sources = [] } = payload;
  return {
    name,
    primary: content.primary,
    secondary: content.secondary ?? '',
    context: content.context ?? '',
    tags: tags.join(', '),
    type: typeNameOf(payload.episode_type),
    event: timeOf(payload.event_time_millis),
    validUntil: timeOf(payload.valid_until_millis),
    source: payload.source ?? '',
    derivedFrom: sources.map((each) => `${each.record_id} ${each.revision}`).join('\n'),
    metadata: Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata, null, 2),
    data: content.data === null || content.data === undefined ? '' : jsonOf(content.data),
  };
}

/** Returns the name of a type of records. */
export function typeNameOf(type: EpisodeType): string {
  return typeof type === 'string' ? type : type.Custom;
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function timeOf(millis: number | null | undefined): string {
  return typeof millis === 'number' ? timeText(millis) : '';
}
