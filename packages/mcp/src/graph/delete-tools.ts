/** Tools that remove from a knowledge graph. A missing item is not an error. */
import { listOf, text } from '../json-schema.js';
import { WAITS } from '../tools/review-tools.js';
import { defineTool, type Tool } from '../tools/tool.js';
import type { Relation } from './graph.js';
import { readRelations } from './graph-reads.js';
import {
  entityIn,
  entityName,
  entityRecord,
  type ItemNames,
  relationName,
} from './graph-records.js';
import { done, graphObject, relations } from './graph-schemas.js';
import { commitPlan, type GraphWriter, type NamedRecord, readNamed } from './graph-writes.js';
import { writerOf } from './graph-writer.js';

/** Removes records, each as it was read. */
function removals(records: ReadonlyMap<string, NamedRecord>) {
  return [...records.values()].map(({ storedName: name, record }) => {
    return { type: 'remove', name, expected_revision: record.revision } as const;
  });
}

/** As text, the reference server shows only the message. */
const messageOf = (answer: object): unknown => ('message' in answer ? answer.message : answer);

/** Nothing is deleted while it waits for review. */
function deletionAnswer(message: string, waits: boolean) {
  return waits ? { success: false, message: WAITS } : { success: true, message };
}

const deleteEntities: Tool = defineTool<{ readonly entityNames: readonly string[] }>({
  name: 'delete_entities',
  title: 'Delete entities',
  description: 'Deletes entities, and all relations that begin or end at one of them.',
  effect: 'changes',
  isIdempotent: true,
  input: graphObject({ entityNames: listOf(text('Name of an entity.')) }),
  output: done,
  shown: messageOf,
  run: async ({ entityNames }, call) => {
    const writer = writerOf(call);
    const { waits } = await commitPlan(writer, () => planEntities(writer, entityNames));
    return deletionAnswer('The entities are deleted.', waits);
  },
});

async function planEntities(writer: GraphWriter, entityNames: readonly string[]) {
  const gone = new Set(entityNames);
  const touching = (await readRelations(writer.memory, writer.signal)).filter(
    ({ from, to }) => gone.has(from) || gone.has(to),
  );
  const names = await Promise.all([...[...gone].map(entityName), ...touching.map(relationName)]);
  return { changes: removals(await readNamed(writer, names)), answer: undefined };
}

const deleteRelations: Tool = defineTool<{ readonly relations: readonly Relation[] }>({
  name: 'delete_relations',
  title: 'Delete relations',
  description: 'Deletes relations.',
  effect: 'changes',
  isIdempotent: true,
  input: relations,
  output: done,
  shown: messageOf,
  run: async (given, call) => {
    const writer = writerOf(call);
    const names = await Promise.all(given.relations.map(relationName));
    const { waits } = await commitPlan(writer, async () => {
      return { changes: removals(await readNamed(writer, names)), answer: undefined };
    });
    return deletionAnswer('The relations are deleted.', waits);
  },
});

/** Observations to remove from an entity. */
interface Deletion {
  readonly entityName: string;
  readonly observations: readonly string[];
}

const deleteObservations: Tool = defineTool<{ readonly deletions: readonly Deletion[] }>({
  name: 'delete_observations',
  title: 'Delete observations',
  description: 'Deletes single observations of entities.',
  effect: 'changes',
  isIdempotent: true,
  input: graphObject({
    deletions: listOf(
      graphObject({
        entityName: text('Name of the entity.'),
        observations: listOf(text('An observation, exactly as it is stored.')),
      }),
    ),
  }),
  output: done,
  shown: messageOf,
  run: async ({ deletions }, call) => {
    const writer = writerOf(call);
    const { waits } = await commitPlan(writer, () => planObservations(writer, deletions));
    return deletionAnswer('The observations are deleted.', waits);
  },
});

async function planObservations(writer: GraphWriter, deletions: readonly Deletion[]) {
  const gone = new Map<string, { readonly names: ItemNames; readonly texts: Set<string> }>();
  for (const { entityName: entity, observations } of deletions) {
    const names = await entityName(entity);
    const texts = gone.get(names[0])?.texts ?? [];
    gone.set(names[0], { names, texts: new Set([...texts, ...observations]) });
  }
  const records = await readNamed(
    writer,
    Array.from(gone.values(), ({ names }) => names),
  );
  const changes = [...records].flatMap(([key, { storedName: name, record }]) => {
    const entity = entityIn(record);
    const lost = gone.get(key)?.texts;
    const kept = entity?.observations.filter((each) => lost?.has(each) !== true);
    if (entity === undefined || kept?.length === entity.observations.length) return [];
    const put = { type: 'put', name, expected_revision: record.revision } as const;
    return [{ ...put, record: entityRecord({ ...entity, observations: kept ?? [] }) }];
  });
  return { changes, answer: undefined };
}

/** The tools that remove from a graph. */
export const deleteTools: readonly Tool[] = [deleteEntities, deleteObservations, deleteRelations];
