/** Finds the places where a document can be changed, with the schema of each. */
import { resolved, type Schema, type Schemas } from './contract-operations.js';
import { isObject, type Json, type JsonObject } from './json-text.js';

/** A value in a document: a member of an object or an item of an array. */
export interface Site {
  readonly parent: JsonObject | Json[];
  readonly key: string;
  readonly value: Json;
  /** Resolved, without the alternatives that the value does not match. */
  readonly schema: Schema;
}

/** Returns all places of the document of a holder, from the outside in. */
export function sitesOf(schemas: Schemas, holder: { document: Json }, schema: Schema): Site[] {
  const { document } = holder;
  const parent = holder as unknown as JsonObject;
  const known = followed(schemas, schema, document);
  return within(schemas, { parent, key: 'document', value: document, schema: known });
}

function within(schemas: Schemas, site: Site): Site[] {
  const { value, schema } = site;
  if (Array.isArray(value)) {
    const items = schema.items ?? {};
    return [
      site,
      ...value.flatMap((item, index) => inside(schemas, value, String(index), item, items)),
    ];
  }
  if (!isObject(value)) return [site];
  const members = Object.entries(value).flatMap(([name, member]) =>
    inside(schemas, value, name, member, schema.properties?.[name] ?? {}),
  );
  return [site, ...members];
}

function inside(
  schemas: Schemas,
  parent: Site['parent'],
  key: string,
  value: Json,
  schema: Schema,
): Site[] {
  return within(schemas, { parent, key, value, schema: followed(schemas, schema, value) });
}

/** Returns the alternative of a schema that a value matches. */
function followed(schemas: Schemas, schema: Schema, value: Json): Schema {
  const known = resolved(schemas, schema);
  const branches = known.anyOf ?? known.oneOf;
  if (branches === undefined) return known;
  const candidates = branches.map((branch) => followed(schemas, branch, value));
  return candidates.find((candidate) => fits(candidate, value)) ?? known;
}

function fits({ type, properties }: Schema, value: Json): boolean {
  if (type === 'null') return value === null;
  if (type === 'object') return isObject(value) && hasConstants(properties, value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return typeof value === 'number';
  return type === undefined || type === typeof value;
}

function hasConstants(properties: Schema['properties'], value: JsonObject): boolean {
  return Object.entries(properties ?? {}).every(
    ([name, { const: constant }]) => constant === undefined || value[name] === constant,
  );
}
