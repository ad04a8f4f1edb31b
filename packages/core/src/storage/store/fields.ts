/**
 * Layouts of values that are stored as a JSON array, without the names of members. A field states
 * how a member of an object takes its elements in the array. A table of fields is the one statement
 * of a layout; the order of its entries is the order of the elements.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ValueLayout } from './value.js';

/** How a member is stored, in one or more elements of an array. */
export interface Field<T> {
  /** How many elements it takes. */
  readonly elements: number;
  /** Appends its elements. */
  readonly write: (value: T, array: unknown[]) => void;
  /** Reads its elements, from `at` on. */
  readonly read: (array: readonly unknown[], at: number) => T;
  /** Whether null may take no element; see {@link addedLast}. */
  readonly isAddedLast?: true;
  /** Whether the member is absent where it has no element; see {@link optionalLast}. */
  readonly isOptional?: true;
}

/** A field for each member of an object; a missing one does not compile. */
export type Fields<T> = { readonly [K in keyof T]-?: Field<T[K]> };

const asItIs: Field<unknown> = {
  elements: 1,
  write: (value, array) => {
    array.push(value);
  },
  read: (array, at) => array[at],
};

/** A member that JSON represents directly. */
export function json<T>(): Field<T> {
  return asItIs as Field<T>;
}

/** A text. */
export const text = json<string>();
/** A number. */
export const number = json<number>();
/** A boolean. */
export const boolean = json<boolean>();

/** A member that is stored as another value, which JSON represents directly. */
export function coded<T, S>(encode: (value: T) => S, decode: (stored: S) => T): Field<T> {
  return {
    elements: 1,
    write: (value, array) => {
      array.push(encode(value));
    },
    read: (array, at) => decode(array[at] as S),
  };
}

/** A member of one element, which is null where the member is null. */
export function orNull<T>({ elements, write, read }: Field<T>): Field<T | null> {
  if (elements !== 1) throw new TypeError('Use spreadOrNull() for a member of several elements.');
  return {
    elements: 1,
    write: (value, array) => {
      if (value === null) array.push(null);
      else write(value, array);
    },
    read: (array, at) => (array[at] === null ? null : read(array, at)),
  };
}

/**
 * A member that was added to a layout after all others, or after others of its kind. Null takes
 * no element unless one of those follows, so that values without it keep their stored bytes.
 */
export function addedLast<T>(): Field<T | null> {
  return {
    elements: 1,
    isAddedLast: true,
    write: (value, array) => {
      array.push(value);
    },
    read: (array, at) => (array[at] as T | undefined) ?? null,
  };
}

/** As {@link addedLast}, for a member that is absent where it has no element. Never stores null. */
export function optionalLast<T>(): Field<T | undefined> {
  return {
    elements: 1,
    isAddedLast: true,
    isOptional: true,
    write: (value, array) => {
      array.push(value);
    },
    read: (array, at) => (array[at] as T | null | undefined) ?? undefined,
  };
}

/** An object that is stored as an array in one element. */
export function nested<T extends object>(fields: Fields<T>): Field<T> {
  const object = spread(fields);
  return coded(
    (value: T) => {
      const array: unknown[] = [];
      object.write(value, array);
      return array;
    },
    (array: unknown[]) => object.read(array, 0),
  );
}

/** An object whose members become elements of the array of the outer object. */
export function spread<T extends object>(fields: Fields<T>): Field<T> {
  const members = membersOf(fields);
  return {
    elements: members.reduce((sum, { field }) => sum + field.elements, 0),
    write: (value, array) => {
      const start = array.length;
      for (const { name, field, offset } of members) {
        // Most fields are of this kind. A call would cost more than the work itself.
        if (field === asItIs) array.push(value[name]);
        else if (field.isAddedLast !== true) field.write(value[name], array);
        else if ((value[name] ?? null) !== null) {
          while (array.length < start + offset) array.push(null);
          field.write(value[name], array);
        }
      }
    },
    read: (array, at) => {
      const value: Partial<T> = {};
      let index = at;
      for (const { name, field } of members) {
        const read = field === asItIs ? array[index] : field.read(array, index);
        if (read !== undefined || field.isOptional !== true) value[name] = read as T[keyof T];
        index += field.elements;
      }
      return value as T;
    },
  };
}

/**
 * As {@link spread}, for an object that may be null, whose elements then hold `absent`. The first
 * member of an object that is not null must not be null either.
 */
export function spreadOrNull<T extends object>(
  fields: Fields<T>,
  absent: readonly [null, ...unknown[]],
): Field<T | null> {
  const { elements, write, read } = spread(fields);
  if (absent.length !== elements) throw new TypeError('List a value of `absent` for each element.');
  return {
    elements,
    write: (value, array) => {
      if (value === null) array.push(...absent);
      else write(value, array);
    },
    read: (array, at) => (array[at] === null ? null : read(array, at)),
  };
}

interface Member<T> {
  readonly name: keyof T;
  readonly field: Field<unknown>;
  /** Number of elements before it. */
  readonly offset: number;
}

function membersOf<T extends object>(fields: Fields<T>): readonly Member<T>[] {
  let elements = 0;
  return Object.entries(fields).map(([name, each]) => {
    const field = each as Field<unknown>;
    const offset = elements;
    elements += field.elements;
    return { name: name as keyof T, field, offset };
  });
}

/** The type of the values of a layout. */
export type ValueOf<L> = L extends ValueLayout<infer T> ? T : never;

/** Returns whether a decoded value matches the digests in it. */
type Verifies<T> = (value: T) => boolean;

/** An object, stored as an array of its fields. `version` is the stored version, from 1 to 255. */
export function fieldsLayout<T extends object>(
  version: number,
  fields: Fields<T>,
  verifies?: Verifies<T>,
): ValueLayout<Readonly<T>> {
  const { write, read } = spread(fields);
  return {
    version,
    encode: (value, before, behind) => {
      const array: unknown[] = [];
      write(value, array);
      return jsonBytes(array, before, behind);
    },
    decode: ({ bytes, start, end }) => {
      const value = read(JSON.parse(bytes.toString('utf8', start, end)) as unknown[], 0);
      if (verifies?.(value) === false) throw new AgentkeepError('storage_inconsistency');
      return value;
    },
  };
}

/** A value that JSON represents directly, as an array of one. */
export function jsonLayout<T>(version: number, verifies?: Verifies<T>): ValueLayout<T> {
  return {
    version,
    encode: (value, before, behind) => jsonBytes([value], before, behind),
    decode: ({ bytes, start, end }) => {
      const [value] = JSON.parse(bytes.toString('utf8', start, end)) as [T];
      if (verifies?.(value) === false) throw new AgentkeepError('storage_inconsistency');
      return value;
    },
  };
}

/** A tuple that JSON represents directly. */
export function tupleLayout<T extends readonly unknown[]>(version: number): ValueLayout<T> {
  return {
    version,
    encode: jsonBytes,
    decode: ({ bytes, start, end }) => JSON.parse(bytes.toString('utf8', start, end)) as T,
  };
}

function jsonBytes(array: readonly unknown[], before: number, behind: number): Buffer {
  const content = JSON.stringify(array);
  const bytes = Buffer.allocUnsafe(before + Buffer.byteLength(content, 'utf8') + behind);
  bytes.write(content, before, 'utf8');
  return bytes;
}
