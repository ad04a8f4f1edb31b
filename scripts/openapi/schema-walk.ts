/** Finds schemas nested in schemas, and reads their metadata. */
import * as v from 'valibot';
import type { SchemaNode } from '../../packages/server/src/openapi/openapi-document.ts';

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

/** The metadata of a schema. */
export interface Published {
  /** The component name to publish it under. */
  readonly component?: string;
  /** Its JSON Schema form, when its checks cannot be translated. */
  readonly jsonSchema?: SchemaNode;
}

/** Returns the metadata of a schema. */
export function publishedAs(schema: v.GenericSchema): Published {
  return v.getMetadata(schema);
}

/** Returns the items of a pipe, including those of nested pipes. */
export function pipeItems(schema: object): readonly PipeItem[] {
  const { pipe } = schema as Holder;
  return pipe === undefined ? [] : pipe.flatMap((item) => [item, ...pipeItems(item)]);
}

/** Returns the members of an object schema; empty for other schemas. */
export function entriesOf(schema: object): readonly [string, v.GenericSchema][] {
  return Object.entries((schema as Holder).entries ?? {});
}

/** Whether a request may omit the member. */
export function mayBeLeftOut({ type }: { readonly type: string }): boolean {
  return type === 'optional' || type === 'nullish' || type === 'exact_optional';
}

/** Returns the default of a member, or `undefined`. */
export function defaultOf(schema: object): unknown {
  return (schema as { default?: unknown }).default;
}

/** Returns all schemas reachable from the roots, themselves included, in order of discovery. */
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
  // The items of a pipe are not schemas of their own, but they can hold some.
  const inPipe = (pipe ?? []).flatMap((each) => childrenOf(each));
  return [...candidates.filter(isSchema), ...inPipe];
}

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}
