/** JSON Schemas of graphs. Like those of the reference server, they allow further members. */
import { type JsonSchema, listOf, type ObjectSchema, text } from '../json-schema.js';

/** Returns the schema of an object with these members, and others that are ignored. */
export function graphObject(properties: Readonly<Record<string, JsonSchema>>): ObjectSchema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

const entity = graphObject({
  name: text('Name of the entity, which identifies it.'),
  entityType: text('What kind of thing it is.'),
  observations: listOf(text('A fact.')),
});

const relation = graphObject({
  from: text('Name of the entity where the relation begins.'),
  to: text('Name of the entity where it ends.'),
  relationType: text('How the first relates to the second.'),
});

/** Entities alone. */
export const entities = graphObject({ entities: listOf(entity) });

/** Relations alone. */
export const relations = graphObject({ relations: listOf(relation) });

/** A graph. */
export const graph = graphObject({ entities: listOf(entity), relations: listOf(relation) });

/** The answer of a deletion. */
export const done = graphObject({ success: { type: 'boolean' }, message: text() });
