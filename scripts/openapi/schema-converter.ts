/**
 * Converts the schemas of documents to JSON Schema, with a `$ref` to each named one. Members that a
 * request may omit are always present in a response, so a component that differs between the two is
 * published twice: under its name for requests, and as `<name>Output`.
 */
import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { SchemaNode } from '../../packages/server/src/openapi/openapi-document.ts';
import {
  defaultOf,
  entriesOf,
  mayBeLeftOut,
  pipeItems,
  publishedAs,
  schemasWithin,
} from './schema-walk.ts';

type Mode = 'input' | 'output';
type Definitions = Readonly<Record<string, v.GenericSchema>>;

const localRef = '#/$defs/';
const describedRef = 'described:';
const componentRef = '#/components/schemas/';

/** The schemas of a contract, for requests and for responses. */
export class SchemaConverter {
  readonly #input: Conversion;
  readonly #output: Conversion;
  /** Components whose response form differs from the request form. */
  readonly #differing: ReadonlySet<string>;

  /** Takes the schemas of all requests and of all responses. */
  constructor(requests: readonly v.GenericSchema[], answers: readonly v.GenericSchema[]) {
    this.#input = new Conversion('input', requests);
    this.#output = new Conversion('output', answers);
    this.#differing = differing(this.#input.components, this.#output.components);
  }

  /** Returns the request form of a schema. */
  request(schema: v.GenericSchema): SchemaNode {
    return this.#published('input', this.#input.convert(schema));
  }

  /** Returns the response form of a schema. */
  answer(schema: v.GenericSchema): SchemaNode {
    return this.#published('output', this.#output.convert(schema));
  }

  /** Returns all named schemas, in ascending order of names. */
  components(): Record<string, SchemaNode> {
    const named = [this.#input, this.#output].flatMap(({ mode, components }) =>
      [...components].map(
        ([name, node]) => [this.#nameIn(mode, name), this.#published(mode, node)] as const,
      ),
    );
    return Object.fromEntries(named.sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #nameIn(mode: Mode, name: string): string {
    return mode === 'output' && this.#differing.has(name) ? `${name}Output` : name;
  }

  #published(mode: Mode, node: SchemaNode): SchemaNode {
    return mapReferences(node, (name, rest) => ({
      $ref: componentRef + this.#nameIn(mode, name),
      ...rest,
    }));
  }
}

/** One direction of the conversion. Its nodes refer to components by local references. */
class Conversion {
  readonly mode: Mode;
  readonly components: ReadonlyMap<string, SchemaNode>;
  readonly #definitions: Definitions;
  readonly #ids: ReadonlyMap<v.GenericSchema, string>;
  readonly #config: ConversionConfig;
  readonly #described: ReadonlyMap<string, SchemaNode>;

  constructor(mode: Mode, roots: readonly v.GenericSchema[]) {
    this.mode = mode;
    const within = [...schemasWithin(roots)];
    this.#definitions = definitionsOf(within);
    this.#ids = new Map(Object.entries(this.#definitions).map(([id, schema]) => [schema, id]));
    this.#config = configOf(mode, within);
    const converted = Object.entries(toJsonSchemaDefs(this.#definitions, this.#config)).map(
      ([id, node]) => [id, { ...node, ...this.#description(id) }] as const,
    );
    this.#described = new Map(converted.filter(([id]) => id.startsWith(describedRef)));
    this.components = new Map(
      converted
        .filter(([id]) => !id.startsWith(describedRef))
        .map(([name, node]) => [name, this.#withDescriptions(node)]),
    );
  }

  convert(schema: v.GenericSchema): SchemaNode {
    const id = this.#ids.get(schema);
    // Each conversion converts all definitions again, so refer to an existing one.
    if (id !== undefined) return this.#withDescriptions({ $ref: localRef + id });
    const config = { ...this.#config, definitions: this.#definitions };
    const node = toJsonSchema(schema, config);
    delete node.$schema;
    delete node.$defs;
    return this.#withDescriptions({ ...node });
  }

  #description(id: string): SchemaNode | undefined {
    const schema = this.#definitions[id];
    return schema && publishedAs(schema).jsonSchema;
  }

  /** Inlines described schemas instead of references to them. */
  #withDescriptions(node: SchemaNode): SchemaNode {
    return mapReferences(node, (id, rest) => {
      const described = this.#described.get(id);
      if (described === undefined) return { $ref: localRef + id, ...rest };
      return this.#withDescriptions({ ...described, ...rest });
    });
  }
}

/** Returns the schemas to define on their own, by component name or number. */
function definitionsOf(schemas: readonly v.GenericSchema[]): Definitions {
  const definitions: Record<string, v.GenericSchema> = {};
  schemas.forEach((schema, index) => {
    const { component, jsonSchema } = publishedAs(schema);
    if (component === undefined && jsonSchema === undefined) return;
    const id = component ?? describedRef + String(index);
    if (id in definitions) throw new Error(`Two schemas are named ${id}.`);
    definitions[id] = schema;
  });
  return definitions;
}

/** The conversion fails for anything that cannot be converted and has no described form. */
function configOf(mode: Mode, schemas: readonly v.GenericSchema[]): ConversionConfig {
  const described = schemas.filter((schema) => publishedAs(schema).jsonSchema !== undefined);
  const tolerated = new Set<unknown>(described.flatMap((schema) => pipeItems(schema)));
  return {
    target: 'draft-2020-12',
    typeMode: mode,
    // JSON Schema cannot express checks; where it can, metadata describes the result.
    ignoreActions: ['metadata', 'check'],
    overrideAction: ({ valibotAction, jsonSchema }) =>
      tolerated.has(valibotAction) ? jsonSchema : undefined,
    overrideSchema: ({ valibotSchema, jsonSchema, errors }) => {
      if (errors !== undefined) return tolerated.has(valibotSchema) ? jsonSchema : undefined;
      return normalized(mode, valibotSchema, jsonSchema);
    },
  };
}

/** Adds types to constants, and requires optional members with defaults in responses. */
function normalized(mode: Mode, schema: { readonly type: string }, node: JsonSchema): JsonSchema {
  if (schema.type === 'literal') return { type: typeOfConstant(node.const), ...node };
  if (schema.type === 'strict_object') {
    const closed = { ...node };
    delete closed.required;
    const required = entriesOf(schema)
      .filter(([, member]) => !mayBeLeftOut(member) || isFilledIn(mode, member))
      .map(([name]) => name);
    return required.length === 0 ? closed : { ...closed, required };
  }
  if (!mayBeLeftOut(schema) || !isFilledIn(mode, schema)) return node;
  const filledIn = { ...node };
  delete filledIn.default;
  return filledIn;
}

function typeOfConstant(value: unknown): 'integer' | 'boolean' | 'string' {
  if (typeof value === 'number') return 'integer';
  return typeof value === 'boolean' ? 'boolean' : 'string';
}

/** Whether a response always has the member, even if the request omitted it. */
function isFilledIn(mode: Mode, member: object): boolean {
  return mode === 'output' && defaultOf(member) !== undefined;
}

/** Returns the components that differ between the two forms, directly or through references. */
function differing(
  one: ReadonlyMap<string, SchemaNode>,
  other: ReadonlyMap<string, SchemaNode>,
): ReadonlySet<string> {
  const found = new Set<string>();
  let size: number;
  do {
    size = found.size;
    for (const [name, node] of one) {
      const twin = other.get(name);
      if (twin === undefined) continue;
      const text = JSON.stringify(node);
      const refers = [...found].some((each) => text.includes(`"${localRef}${each}"`));
      if (refers || text !== JSON.stringify(twin)) found.add(name);
    }
  } while (found.size > size);
  return found;
}

/** Copies a node with every local reference replaced. */
function mapReferences(
  node: SchemaNode,
  replace: (id: string, rest: SchemaNode) => SchemaNode,
): SchemaNode {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as SchemaNode;
    const copied = Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, copy(each)]));
    if (typeof $ref !== 'string') return copied;
    return $ref.startsWith(localRef)
      ? replace($ref.slice(localRef.length), copied)
      : { $ref, ...copied };
  };
  return copy(node) as SchemaNode;
}
