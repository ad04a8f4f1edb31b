/**
 * Generates packages/mcp/tool-schemas.json: the documents of the contract that MCP tools take, in
 * few bytes. It keeps names, types and what is required; core states and checks the bounds.
 */
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { generateDocument } from './openapi/generate-document.ts';

/** Path of the schemas. */
export const toolSchemasFile = fileURLToPath(
  new URL('../packages/mcp/tool-schemas.json', import.meta.url),
);

/** The documents, with the levels of objects that are schemas. Deeper ones are put in words. */
const levels = {
  LearningEvaluationRequest: 1,
  LearningProposalRequest: 2,
  LearningReadRequest: 1,
  LearningSelectRequest: 1,
  MemoryOperation: 0,
  MemoryScope: 1,
  RecordInput: 2,
  SearchFilter: 1,
  SearchRequest: 1,
};

/** Members of requests that tools fill in, or have in a form of their own. */
const omitted = new Set(['contract_version', 'scope', 'scopes']);

/** Members that are put in words at any level, because records and filters have many members. */
const inWords = new Set(['derived_from', 'supersedes']);

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Returns the schemas by name, formatted like every file of the workspace. */
export async function toolSchemasText(): Promise<string> {
  const components = generateDocument().components.schemas as Readonly<Record<string, Schema>>;
  const short = new ShortSchemas(components);
  const byName = Object.entries(levels).map(([name, depth]) => {
    return [name, short.schemaOf(components[name] ?? {}, depth)] as const;
  });
  const style = await resolveConfig(toolSchemasFile);
  return format(JSON.stringify(Object.fromEntries(byName)), { ...style, parser: 'json' });
}

/** Shortens schemas of the contract. */
class ShortSchemas {
  readonly #components: Readonly<Record<string, Schema>>;

  constructor(components: Readonly<Record<string, Schema>>) {
    this.#components = components;
  }

  /** Returns a schema in which so many levels of objects are schemas. */
  schemaOf(given: Schema, depth: number): object {
    const schema = this.#plain(given);
    const { type, items, properties } = schema;
    const values = valuesOf(schema);
    if (values !== undefined) return { enum: values };
    if (schema.anyOf !== undefined) return { description: `${this.#wordsOf(schema)}.` };
    if (items !== undefined) return this.#listOf(items, depth);
    if (properties === undefined) return type === undefined ? {} : { type };
    if (depth === 0) return { type, description: this.#wordsOf(schema) };
    const members = Object.entries(properties).filter(([name]) => !omitted.has(name));
    const required = (schema.required ?? []).filter((name) => !omitted.has(name));
    return {
      type,
      properties: Object.fromEntries(
        members.map(([name, member]) => [
          name,
          this.schemaOf(member, inWords.has(name) ? 0 : depth - 1),
        ]),
      ),
      additionalProperties: false,
      ...(required.length === 0 ? {} : { required }),
    };
  }

  #listOf(items: Schema, depth: number): object {
    const schema = this.#plain(items);
    // The words for an object, or for alternatives, describe the list.
    const isScalar = schema.properties === undefined && schema.anyOf === undefined;
    if (isScalar || depth > 0) return { type: 'array', items: this.schemaOf(schema, depth) };
    return { type: 'array', description: `Each ${this.#wordsOf(schema)}.` };
  }

  /** Says in words what a schema accepts, with the members of members by name only. */
  #wordsOf(given: Schema, isInner = false): string {
    const schema = this.#plain(given);
    const { anyOf, properties, required = [] } = schema;
    const values = valuesOf(schema);
    if (values !== undefined) return values.join('|');
    if (anyOf !== undefined) {
      return isInner ? '' : anyOf.map((each) => this.#wordsOf(each)).join(' or ');
    }
    if (properties === undefined || isInner) return '';
    const members = Object.entries(properties).map(([name, member]) => {
      const words = this.#wordsOf(member, true);
      const mark = required.includes(name) ? name : `${name}?`;
      return words === '' ? mark : `${mark}: ${words}`;
    });
    return `{${members.join(', ')}}`;
  }

  /** Resolves references, and leaves out that a member may be null. */
  #plain(schema: Schema): Schema {
    const { $ref, anyOf = schema.oneOf } = schema;
    const name = $ref?.split('/').at(-1);
    if (name !== undefined) return this.#plain(this.#components[name] ?? {});
    const others = anyOf?.filter(({ type }) => type !== 'null');
    const [only, ...more] = others ?? [];
    if (only !== undefined && more.length === 0) return this.#plain(only);
    return others === undefined ? schema : { anyOf: others };
  }
}

function valuesOf({ const: only, enum: values }: Schema): readonly string[] | undefined {
  return typeof only === 'string' ? [only] : values;
}
