/** How a graph is stored: one named record for each entity and each relation. */
import { AgentkeepError, type MemoryRecord, type RecordInput } from '@agentkeep/client';
import type { Entity, Relation } from './graph.js';

/** Tags of the records of a graph. */
export const graphTags = { entity: 'graph/entity', relation: 'graph/relation' } as const;

/** Longest name of a record, in bytes; one below it leaves room for the prefix. */
const READABLE_BYTES_MAX = 440;

/** Longest text of observations that is searched, in UTF-16 units. All are stored as data too. */
const SEARCHED_CHARS_MAX = 8_192;

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Returns the name of the record of an entity. */
export function entityRecordName(name: string): Promise<string> {
  return recordName(graphTags.entity, [name]);
}

/** Returns the name of the record of a relation. */
export function relationRecordName({ from, to, relationType }: Relation): Promise<string> {
  return recordName(graphTags.relation, [from, relationType, to]);
}

/** A name is readable if it is short; any other text is named by its digest. */
async function recordName(prefix: string, parts: readonly string[]): Promise<string> {
  if (parts.some((part) => LONE_SURROGATE.test(part))) {
    const message = 'A name of the graph has half of a surrogate pair. Send well-formed Unicode.';
    throw new AgentkeepError('invalid_request', { message });
  }
  const readable = parts.map(encodeURIComponent).join('/');
  if (readable.length <= READABLE_BYTES_MAX) return `${prefix}/${readable}`;
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${prefix}-digest/${hex}`;
}

/** Returns the record of an entity. */
export function entityRecord({ name, entityType, observations }: Entity): RecordInput {
  return {
    episode_type: { Custom: 'entity' },
    content: {
      primary: name,
      secondary: entityType,
      context: observations.join('\n').slice(0, SEARCHED_CHARS_MAX),
      data: { name, entityType, observations: [...observations] },
    },
    event_time_millis: 0,
    tags: [graphTags.entity],
  };
}

/** Returns the record of a relation. */
export function relationRecord({ from, to, relationType }: Relation): RecordInput {
  return {
    episode_type: { Custom: 'relation' },
    content: { primary: `${from} ${relationType} ${to}`, data: { from, to, relationType } },
    event_time_millis: 0,
    tags: [graphTags.relation],
  };
}

/** Returns the entity in a record, or `undefined` if another program wrote something else there. */
export function entityIn({ payload }: MemoryRecord): Entity | undefined {
  const { name, entityType, observations } = membersIn(payload.content.data);
  if (typeof name !== 'string' || typeof entityType !== 'string') return undefined;
  if (!Array.isArray(observations)) return undefined;
  const texts = observations.filter((each) => typeof each === 'string');
  return { name, entityType, observations: texts };
}

/** Returns the relation in a record, or `undefined` as {@link entityIn}. */
export function relationIn({ payload }: MemoryRecord): Relation | undefined {
  const { from, to, relationType } = membersIn(payload.content.data);
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  return typeof relationType === 'string' ? { from, to, relationType } : undefined;
}

function membersIn(data: unknown): Partial<Record<string, unknown>> {
  return typeof data === 'object' && data !== null ? { ...data } : {};
}
