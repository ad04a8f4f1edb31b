/** Reads of a knowledge graph. */
import type { MemoryRecord, ScopedMemory } from '@agentkeep/client';
import type { Entity, Graph, Relation } from './graph.js';
import { entityIn, graphTags, relationIn } from './graph-records.js';

const PAGE = 1_000;

/** Reads the whole graph. */
export async function readGraph(memory: ScopedMemory, signal: AbortSignal): Promise<Graph> {
  return {
    entities: await itemsOf(memory, graphTags.entity, { itemIn: entityIn, signal }),
    relations: await readRelations(memory, signal),
  };
}

/** Reads all relations. */
export function readRelations(memory: ScopedMemory, signal: AbortSignal): Promise<Relation[]> {
  return itemsOf(memory, graphTags.relation, { itemIn: relationIn, signal });
}

interface ItemReading<T> {
  readonly itemIn: (record: MemoryRecord) => T | undefined;
  readonly signal: AbortSignal;
}

async function itemsOf<T>(
  memory: ScopedMemory,
  tag: string,
  { itemIn, signal }: ItemReading<T>,
): Promise<T[]> {
  const items: T[] = [];
  for await (const record of memory.query({ tag }, { limit: PAGE, signal })) {
    const item = itemIn(record);
    if (item !== undefined) items.push(item);
  }
  return items;
}

/** Returns the entities that have a text in name, type or observations, in any letter case. */
export function entitiesWith({ entities }: Graph, text: string): Entity[] {
  const wanted = text.toLowerCase();
  const has = (one: string): boolean => one.toLowerCase().includes(wanted);
  return entities.filter(
    ({ name, entityType, observations }) => has(name) || has(entityType) || observations.some(has),
  );
}

/** Returns some entities of a graph, with the relations that begin or end at one of them. */
export function around({ relations }: Graph, entities: readonly Entity[]): Graph {
  const names = new Set(entities.map(({ name }) => name));
  const touching = relations.filter(({ from, to }) => names.has(from) || names.has(to));
  return { entities, relations: touching };
}
