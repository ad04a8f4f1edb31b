/**
 * Names of members: `created_at_millis` in a document is `createdAtMillis` in a stored value.
 *
 * What a document shows as it is stored follows from its schema, so a new member is stated there
 * and in the table of stored fields alone.
 */
import type * as v from 'valibot';

/** The name in a stored value of a member of a document. */
type CamelCase<N> = N extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : N;

/** Returns the name in a document of a member of a stored value. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the name in a stored value of a member of a document. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The schema of a closed object. */
type DocumentSchema = v.GenericSchema & { readonly entries: v.ObjectEntries };

/** What a stored value has under the name of a member of a document: its name if the type fits. */
type Fitting<D, V> = {
  [N in keyof D]: CamelCase<N> extends keyof V ? (V[CamelCase<N>] extends D[N] ? N : never) : never;
}[keyof D];

/** The members whose names a stored value has for something else, which must not be shown. */
type Clashing<D, V> = {
  [N in keyof D as N extends Fitting<D, V> ? never : CamelCase<N> extends keyof V ? N : never]-?:
    D[N] | undefined;
};

/** What is left to state: all members that are not shown as they are stored. */
type Others<D, V> = Omit<D, keyof Clashing<D, V> | (Fitting<D, V> & keyof D)> &
  Clashing<D, V> &
  Partial<D>;

/**
 * Shows a stored value as a document: each member of the schema as it is stored, or as `others`
 * states it: `shownAs(MemoryBranch, branch, { scopes: branch.scopes.map(scopeOfParts) })`. Members
 * that the schema doesn't name stay out. Arrays and objects are not copied.
 */
export function shownAs<S extends DocumentSchema, V extends object>(
  { entries }: S,
  stored: V,
  others: Others<v.InferOutput<S>, V>,
): v.InferOutput<S> {
  const stated: Readonly<Record<string, unknown>> = others;
  const known = stored as Readonly<Record<string, unknown>>;
  const members = Object.keys(entries).map((name): [string, unknown] => [
    name,
    Object.hasOwn(stated, name) ? stated[name] : known[camelCase(name)],
  ]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Returns the members of a document under the names that stored values have for them. */
export function storedAs<D extends object>(
  document: D,
): { [N in keyof D as CamelCase<N> & string]: D[N] } {
  const members = Object.entries(document).map(([name, value]: [string, unknown]) => [
    camelCase(name),
    value,
  ]);
  return Object.fromEntries(members) as { [N in keyof D as CamelCase<N> & string]: D[N] };
}
