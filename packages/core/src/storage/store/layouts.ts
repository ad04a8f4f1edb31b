/** Layouts of values that are stored as a JSON array, without the names of members. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { type Fields, spread } from './fields.js';
import type { ValueLayout } from './value.js';

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
