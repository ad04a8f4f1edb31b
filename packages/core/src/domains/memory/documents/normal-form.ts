/**
 * The normal form of a change, which decides whether two commands are the same
 * (docs/contract/memory.md#mem-36): defaults are filled in, ids are lower case, embeddings are
 * 32-bit floats, and the order of members does not matter. Each member of a payload states its
 * stored form and its normal form; a missing one does not compile.
 */
import { sha256Stream, sha256Text } from '../../../contract/digest.js';
import { canonicalJson, type JsonValue } from '../../../contract/schema/json.js';
import type { Namespace } from '../../../kernel/access/namespace.js';
import {
  coded,
  type Field,
  type Fields,
  json,
  optionalLast,
  orNull,
  spread,
} from '../../../storage/store/fields.js';
import type { Dependents } from './lineage-schema.js';
import type { GivenPayload, MemoryChange, RecordPayload } from './schema.js';

/** A value that JSON spells in one way, because it holds no object. */
export type NormalValue = string | number | boolean | null | readonly NormalValue[];

/** Appends the normal form of a value: the same for equal values, another one for every other. */
export type NormalForm<T> = (value: T, list: NormalValue[]) => void;

/** A normal form for each member of an object; a missing one does not compile. */
export type NormalForms<T> = { readonly [K in keyof T]-?: NormalForm<T[K]> };

/** The normal form of a value that JSON spells in one way. */
const asItIs: NormalForm<NormalValue> = (value, list) => {
  list.push(value);
};

/** Appends the normal forms of the members of an object, in the order of the table. */
function appendMembers<T extends object>(
  forms: NormalForms<T>,
  value: T,
  list: NormalValue[],
): void {
  for (const name in forms) forms[name](value[name], list);
}

/** Returns the members of the table of which the normal forms differ. */
export function differingNames<T extends object>(
  forms: NormalForms<T>,
  one: T,
  other: T,
): (keyof T & string)[] {
  const textOf = (value: T, name: keyof T): string => {
    const list: NormalValue[] = [];
    forms[name](value[name], list);
    return JSON.stringify(list);
  };
  const names = Object.keys(forms) as (keyof T & string)[];
  return names.filter((name) => textOf(one, name) !== textOf(other, name));
}

/** The stored form of a member, and its normal form. */
interface Member<T> {
  readonly stored: Field<T>;
  readonly normal: NormalForm<T>;
}

/** An entry for each member of a document. */
export type Members<T> = { readonly [K in keyof T]-?: Member<T[K]> };

/**
 * Stored unchanged, and unchanged in fingerprints. Not for objects, whose members have no order.
 */
function plain<T extends NormalValue>(): Member<T> {
  return { stored: json(), normal: asItIs };
}

/** Stored unchanged. In fingerprints, the order of members doesn't matter. */
function freeJson<T>(): Member<T> {
  return {
    stored: json(),
    normal: (value, list) => {
      list.push(canonicalJson(value as JsonValue));
    },
  };
}

/** An object whose members take places beside those of its owner, in both forms. */
function spreadMembers<T extends object>(members: Members<T>): Member<T> {
  const forms = normalFormsOf(members);
  return {
    stored: spread(fieldsOf(members)),
    normal: (value, list) => {
      appendMembers(forms, value, list);
    },
  };
}

/** Packed 32-bit floats. Numbers that become the same floats are the same. */
const embedding: Member<number[] | null> = {
  stored: orNull(coded(packFloats, unpackFloats)),
  normal: (numbers, list) => {
    list.push(numbers === null ? null : numbers.map(Math.fround));
  },
};

/** The stored form of embeddings. */
export const embeddingField = embedding.stored;

const episodeType: Member<RecordPayload['episode_type']> = {
  stored: json(),
  normal: (type, list) => {
    // In an array, so that no custom type equals another one.
    list.push(typeof type === 'string' ? type : [type.Custom]);
  },
};

const source: Member<RecordPayload['source']> = {
  stored: optionalLast(),
  // Nothing for a record without one, so that the fingerprints of earlier commands stay.
  normal: (value, list) => {
    if (value !== undefined) list.push(['source', value]);
  },
};

const derivedFrom: Member<RecordPayload['derived_from']> = {
  stored: optionalLast(),
  normal: (revisions, list) => {
    if (revisions === undefined) return;
    list.push([
      'derived_from',
      revisions.map(({ scope, record_id, revision }) => [
        scope && [scope.project_id, scope.mission_id, scope.agent_id, scope.visibility],
        record_id,
        revision,
      ]),
    ]);
  },
};

const supersedes: Member<RecordPayload['supersedes']> = {
  stored: optionalLast(),
  normal: (all, list) => {
    if (all === undefined) return;
    list.push(['supersedes', all.map(({ record_id, revision }) => [record_id, revision])]);
  },
};

/** Written by the commit that ends a record, and never by a command, so no fingerprint has it. */
const supersededBy: Member<RecordPayload['superseded_by']> = {
  stored: optionalLast(),
  normal: () => undefined,
};

const contentMembers: Members<RecordPayload['content']> = {
  primary: plain(),
  secondary: plain(),
  context: plain(),
  data: freeJson(),
  embedding,
};

/** The normal forms of contents. */
export const contentNormalForms = normalFormsOf(contentMembers);

/** The members in the order of stored records and of fingerprints. */
export const payloadMembers: Members<RecordPayload> = {
  episode_type: episodeType,
  content: spreadMembers(contentMembers),
  event_time_millis: plain(),
  valid_until_millis: plain(),
  tags: plain(),
  metadata: freeJson(),
  source,
  derived_from: derivedFrom,
  supersedes,
  superseded_by: supersededBy,
};

/** The stored form of payloads. */
export const payloadFields = fieldsOf(payloadMembers);

/** The normal forms of payloads. */
export const payloadNormalForms: NormalForms<GivenPayload> = {
  ...normalFormsOf(payloadMembers),
  // A time that is left out is that of the commit, which differs when a command is sent again.
  event_time_millis: (time, list) => {
    list.push(time ?? null);
  },
};

function fieldsOf<T extends object>(members: Members<T>): Fields<T> {
  return mapMembers(members, ({ stored }) => stored) as Fields<T>;
}

function normalFormsOf<T extends object>(members: Members<T>): NormalForms<T> {
  return mapMembers(members, ({ normal }) => normal) as NormalForms<T>;
}

function mapMembers(members: object, pick: (member: Member<never>) => unknown): unknown {
  const entries = Object.entries<Member<never>>(members as Record<string, Member<never>>);
  return Object.fromEntries(entries.map(([name, member]) => [name, pick(member)]));
}

function packFloats(numbers: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(numbers.length * 4);
  numbers.forEach((number, index) => bytes.writeFloatLE(number, index * 4));
  return bytes.toString('base64');
}

function unpackFloats(packed: string): number[] {
  const bytes = Buffer.from(packed, 'base64');
  // Several times as fast as the methods of buffers, for embeddings of hundreds of numbers.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const numbers: number[] = [];
  for (let at = 0; at < bytes.length; at += 4) numbers.push(view.getFloat32(at, true));
  return numbers;
}

/** The members of each kind of change; a kind or member that is missing does not compile. */
export type ChangeForms<C extends { readonly type: string }> = {
  readonly [Each in C as Each['type']]: NormalForms<Omit<Each, 'type'>>;
};

const record: NormalForm<GivenPayload> = (payload, list) => {
  appendMembers(payloadNormalForms, payload, list);
};

/** Nothing where it isn't stated, so that the fingerprints of earlier commands stay. */
const dependents: NormalForm<Dependents | undefined> = (wanted, list) => {
  if (wanted !== undefined) list.push(['dependents', wanted]);
};

/** Stored receipts hold fingerprints in this order. */
export const changeForms: ChangeForms<MemoryChange> = {
  create: { record },
  update: { record_id: asItIs, expected_revision: asItIs, record },
  delete: { record_id: asItIs, expected_revision: asItIs, dependents },
  put: { name: asItIs, expected_revision: asItIs, record },
  remove: { name: asItIs, expected_revision: asItIs, dependents },
  restore: { record_id: asItIs, revision: asItIs, expected_revision: asItIs },
  redact: { record_id: asItIs, revision: asItIs, dependents },
};

/** Digest of a change in normal form. Scope and idempotency key are parts of a receipt's key. */
export function fingerprintOf(change: MemoryChange): string {
  return sha256Text(JSON.stringify(normalFormOf(change)), 'base64url');
}

/**
 * Digest of the commands of a batch in normal form, in their order. The idempotency key is a part
 * of the key of a receipt.
 */
export class BatchFingerprint {
  readonly #stream = sha256Stream();

  /** Adds the next command; returns the length of its normal form, in UTF-16 units. */
  add({ parts }: Namespace, change: MemoryChange): number {
    const text = JSON.stringify([parts, normalFormOf(change)]);
    this.#stream.update(text);
    return text.length;
  }

  /** Returns the digest; no command may follow. */
  digest(): string {
    return this.#stream.digestText('base64url');
  }
}

function normalFormOf(change: MemoryChange): NormalValue[] {
  const list: NormalValue[] = [change.type];
  // The compiler cannot see that form and change are of the same kind.
  const forms = changeForms[change.type] as NormalForms<MemoryChange>;
  appendMembers<MemoryChange>(forms, change, list);
  return list;
}
