/** Tools that add to a knowledge graph. */
import { AgentkeepError, type MemoryChangeInput } from '@agentkeep/client';
import { listOf, text } from '../json-schema.js';
import { WAITS } from '../tools/review-tools.js';
import { defineTool, type Tool } from '../tools/tool.js';
import type { Entity, Relation } from './graph.js';
import {
  entityIn,
  entityName,
  entityRecord,
  type ItemNames,
  relationName,
  relationRecord,
} from './graph-records.js';
import { entities, graphObject, relations } from './graph-schemas.js';
import {
  commitPlan,
  type Committed,
  type GraphWriter,
  inSlices,
  type NamedRecord,
  readNamed,
} from './graph-writes.js';
import { writerOf } from './graph-writer.js';

/** As text, the reference server shows only the list of an answer, without its name. */
const onlyMember = (answer: object): unknown =>
  'note' in answer ? answer : Object.values(answer)[0];

/** Returns an answer that says if its changes only wait. */
const saying = <A extends object>(answer: A, waits: boolean): A | (A & { note: string }) =>
  waits ? { note: WAITS, ...answer } : answer;

/** An item to create, with the names of its record. */
interface Wanted<T> {
  readonly names: ItemNames;
  readonly item: T;
}

/** Creates the items without a record, and returns them. */
function createMissing<T>(
  writer: GraphWriter,
  wanted: readonly Wanted<T>[],
  recordOf: (item: T) => Extract<MemoryChangeInput, { type: 'put' }>['record'],
): Promise<Committed<T[]>> {
  return commitPlan(writer, async () => {
    const known = await readNamed(
      writer,
      wanted.map(({ names }) => names),
    );
    const missing = wanted.filter(({ names }) => !known.has(names[0]));
    const changes = missing.map(({ names, item }) => {
      const put = { type: 'put', name: names[0], expected_revision: 0 } as const;
      return { ...put, record: recordOf(item) };
    });
    return { changes, answer: missing.map(({ item }) => item) };
  });
}

/** Keeps the first of several items with the same record. */
async function namedOnce<T>(items: readonly T[], namesOf: (item: T) => Promise<ItemNames>) {
  const byName = new Map<string, Wanted<T>>();
  for (const item of items) {
    const names = await namesOf(item);
    if (!byName.has(names[0])) byName.set(names[0], { names, item });
  }
  return [...byName.values()];
}

const createEntities: Tool = defineTool<{ readonly entities: readonly Entity[] }>({
  name: 'create_entities',
  title: 'Create entities',
  description: 'Adds entities to the graph. One whose name exists already stays as it is.',
  effect: 'adds',
  isIdempotent: true,
  input: entities,
  output: entities,
  shown: onlyMember,
  run: async (given, call) => {
    const items = given.entities.map(({ name, entityType, observations }) => {
      return { name, entityType, observations };
    });
    const wanted = await namedOnce(items, ({ name }) => entityName(name));
    const writer = writerOf(call);
    const done = await inSlices(wanted, (some) => createMissing(writer, some, entityRecord));
    return saying({ entities: done.answer }, done.waits);
  },
});

const createRelations: Tool = defineTool<{ readonly relations: readonly Relation[] }>({
  name: 'create_relations',
  title: 'Create relations',
  description:
    'Adds relations between entities, each worded so that it reads from one to the other, such as ' +
    '"works at". One that exists already is not added again.',
  effect: 'adds',
  isIdempotent: true,
  input: relations,
  output: relations,
  shown: onlyMember,
  run: async (given, call) => {
    const items = given.relations.map(({ from, to, relationType }) => ({ from, to, relationType }));
    const wanted = await namedOnce(items, relationName);
    const writer = writerOf(call);
    const done = await inSlices(wanted, (some) => createMissing(writer, some, relationRecord));
    return saying({ relations: done.answer }, done.waits);
  },
});

/** New observations of an entity. */
interface Observed {
  readonly entityName: string;
  readonly contents: readonly string[];
}

const addObservations: Tool = defineTool<{ readonly observations: readonly Observed[] }>({
  name: 'add_observations',
  title: 'Add observations',
  description:
    'Adds observations to entities that exist. Returns those that were new. Nothing is added when ' +
    'one of the entities is missing.',
  effect: 'adds',
  isIdempotent: true,
  input: graphObject({
    observations: listOf(
      graphObject({ entityName: text('Name of the entity.'), contents: listOf(text('A fact.')) }),
    ),
  }),
  output: graphObject({
    results: listOf(
      graphObject({ entityName: text('Name of the entity.'), addedObservations: listOf(text()) }),
    ),
  }),
  shown: onlyMember,
  run: async ({ observations }, call) => {
    const writer = writerOf(call);
    const done = await commitPlan(writer, () => planObservations(writer, observations));
    return saying({ results: done.answer }, done.waits);
  },
});

async function planObservations(writer: GraphWriter, observed: readonly Observed[]) {
  const names = await Promise.all(observed.map(({ entityName: name }) => entityName(name)));
  const records = await readNamed(writer, names);
  const changed = new Map<NamedRecord, Entity>();
  const answer = observed.map(({ entityName: wanted, contents }, index) => {
    const found = records.get(names[index]?.[0] ?? '');
    const entity = found && (changed.get(found) ?? entityIn(found.record));
    if (found === undefined || entity === undefined) throw missing(index, wanted);
    const added = contents.filter((each) => !entity.observations.includes(each));
    const grown = { ...entity, observations: [...entity.observations, ...added] };
    if (added.length > 0) changed.set(found, grown);
    return { entityName: wanted, addedObservations: added };
  });
  const changes = [...changed].map(([{ storedName: name, record }, entity]) => {
    const put = { type: 'put', name, expected_revision: record.revision } as const;
    return { ...put, record: entityRecord(entity) };
  });
  return { changes, answer };
}

/** Names the entity as the reference server does, so that a model knows which one to create. */
function missing(index: number, entityName: string): AgentkeepError {
  const message = `Entity with name ${entityName} not found. Create it with create_entities first.`;
  const path = `observations[${index}].entityName`;
  const members = [{ path, expected: 'the name of an entity that exists' }];
  return new AgentkeepError('record_not_found', { message, members });
}

/** The tools that add to a graph. */
export const createTools: readonly Tool[] = [createEntities, createRelations, addObservations];
