/**
 * Finds the schemas inside schemas, and what their metadata says of them.
 * @module
 */
import * as v from 'valibot';
import type { SchemaNode } from '../openapi-document.js';

/** The members of a schema that can hold other schemas. */
interface Holder {
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly wrapped?: v.GenericSchema;
  readonly options?: readonly unknown[];
  readonly pipe?: readonly PipeItem[];
}

/** A piece of a pipe: a schema, a check, a transformation or metadata. */
export interface PipeItem {
  readonly kind: string;
}

/** What the documents of Agentkeep say of a schema in its metadata. */
export interface Published {
  /** The name of the component that it is published as. */
  readonly component?: string;
  /** Its form in JSON Schema, where its checks cannot be translated. */
  readonly jsonSchema?: SchemaNode;
}

/** What the metadata of a schema says. */
export function publishedAs(schema: v.GenericSchema): Published {
  return v.getMetadata(schema);
}

/** The pieces of a pipe, those of pipes inside it included. */
export function pipeItems(schema: object): readonly PipeItem[] {
  const { pipe } = schema as Holder;
  return pipe === undefined ? [] : pipe.flatMap((item) => [item, ...pipeItems(item)]);
}

/** The members of an object schema; none for any other. */
export function entriesOf(schema: object): readonly [string, v.GenericSchema][] {
  return Object.entries((schema as Holder).entries ?? {});
}

/** Whether a member of an object may be left out of a request. */
export function mayBeLeftOut({ type }: { readonly type: string }): boolean {
  return type === 'optional' || type === 'nullish' || type === 'exact_optional';
}

/** The value that a member has when it is left out; `undefined` when it has none. */
export function defaultOf(schema: object): unknown {
  return (schema as { default?: unknown }).default;
}

/** Every schema within some schemas, themselves included, each once, in order of discovery. */
export function schemasWithin(roots: Iterable<v.GenericSchema>): ReadonlySet<v.GenericSchema> {
  const found = new Set<v.GenericSchema>();
  const visit = (schema: v.GenericSchema): void => {
    if (found.has(schema)) return;
    found.add(schema);
    for (const child of childrenOf(schema)) visit(child);
  };
  for (const root of roots) visit(root);
  return found;
}

function childrenOf(schema: object): v.GenericSchema[] {
  const { entries, item, wrapped, options, pipe } = schema as Holder;
  const candidates = [...Object.values(entries ?? {}), item, wrapped, ...(options ?? [])];
  // Pieces of a pipe are no schemas of their own, the whole pipe is; but they can hold some.
  const inPipe = (pipe ?? []).flatMap((each) => childrenOf(each));
  return [...candidates.filter(isSchema), ...inPipe];
}

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}
