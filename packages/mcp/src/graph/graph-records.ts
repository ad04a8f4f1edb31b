/** How a graph is stored: one named record for each entity and each relation. */
import { AgentkeepError, cutText, type MemoryRecord, type RecordInput } from '@agentkeep/client';
import { sha256Of } from '../text-digest.js';
import type { Entity, Relation } from './graph.js';

/** Tags of the records of a graph. */
export const graphTags = { entity: 'graph/entity', relation: 'graph/relation' } as const;

/** Longest readable part of a name. */
const READABLE_BYTES_MAX = 440;

/** Longest name of a record, in bytes. */
const NAME_BYTES_MAX = 512;

/** Longest text of observations that is searched, in UTF-16 units. All are stored as data too. */
const SEARCHED_CHARS_MAX = 8_192;

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The names that the record of an item may have: the one of a new record first, then the one that
 * an import once gave it.
 */
export type ItemNames = readonly [name: string, ...others: string[]];

/** Returns the names of the record of an entity. */
export function entityName(name: string): Promise<ItemNames> {
  return itemNames(graphTags.entity, [name]);
}

/** Returns the names of the record of a relation. */
export function relationName({ from, to, relationType }: Relation): Promise<ItemNames> {
  return itemNames(graphTags.relation, [from, relationType, to]);
}

/** A name is readable if it is short; any other text is named by its digest. */
async function itemNames(prefix: string, parts: readonly string[]): Promise<ItemNames> {
  if (parts.some((part) => LONE_SURROGATE.test(part))) {
    const message = 'A name of the graph has half of a surrogate pair. Send well-formed Unicode.';
    throw new AgentkeepError('invalid_request', { message });
  }
  const readable = parts.map(encodeURIComponent).join('/');
  const name = `${prefix}/${readable}`;
  if (readable.length <= READABLE_BYTES_MAX) return [name];
  const digested = `${prefix}-digest/${await sha256Of(JSON.stringify(parts))}`;
  return name.length <= NAME_BYTES_MAX ? [digested, name] : [digested];
}

/** Returns the record of an entity. */
export function entityRecord({ name, entityType, observations }: Entity): RecordInput {
  return {
    episode_type: { Custom: 'entity' },
    content: {
      primary: name,
      secondary: entityType,
      context: cutText(observations.join('\n'), SEARCHED_CHARS_MAX),
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
