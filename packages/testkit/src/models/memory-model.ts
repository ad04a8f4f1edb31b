/**
 * Memory in plain objects, from the contract alone (docs/contract/memory.md). Every query looks at
 * every record and compares whole texts.
 */
import type {
  BatchReceipt,
  Credential,
  MemoryRecord,
  QueryPage,
  Receipt,
  RecordInput,
  Scope,
  ScopeInput,
} from '@agentkeep/core';
import { type CredentialModel, fullScope, type Holder } from './credential-model.js';
import {
  type Batch,
  type Command,
  filled,
  isNamed,
  isText,
  isWellFormed,
  isWithinRules,
  NAME_MAX,
  normal,
  sorted,
  UUID,
  validScope,
} from './memory-command.js';
import { Refusal } from './outcome.js';

/** The filter of a query as the contract writes it. */
export interface Filter {
  readonly limit?: number;
  readonly scan_limit?: number;
  readonly after?: string;
  readonly text_contains?: string;
  readonly episode_type?: RecordInput['episode_type'];
  readonly tag?: string;
  readonly tags?: string[];
}

/** A record, or the rest of a deleted one. */
interface Entry {
  readonly space: string;
  readonly record: Omit<MemoryRecord, 'payload'> & {
    readonly payload: MemoryRecord['payload'] | null;
  };
}

/** Start of the id of a record that should have been made. */
const NOT_MADE = 'not made';
const VERSION_7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** The circumstances of a change. */
interface Made {
  readonly space: string;
  readonly author: MemoryRecord['author'];
  readonly now: number;
  readonly madeId: string | undefined;
}

/** What a change makes of a record. */
interface Next {
  readonly record: Entry['record'];
  readonly action: Receipt['action'];
}

/** All records of all tenants. */
export class MemoryModel {
  readonly #credentials: CredentialModel;
  readonly #entries = new Map<string, Entry>();
  readonly #receipts = new Map<string, { form: string; receipt: Receipt }>();
  readonly #batches = new Map<string, { form: string; receipt: BatchReceipt }>();

  constructor(credentials: CredentialModel) {
    this.#credentials = credentials;
  }

  /** The ids of all records, deleted ones included. */
  get ids(): string[] {
    return [...this.#entries.keys()];
  }

  /** The numbers of records that aren't deleted and of commands that succeeded. */
  get counts(): { readonly memory_records: number; readonly receipts: number } {
    const current = [...this.#entries.values()].filter(({ record }) => record.payload !== null);
    return {
      memory_records: current.length,
      receipts: this.#receipts.size + this.#batches.size,
    };
  }

  /** The ids of all records in a scope of a holder, deleted ones included. */
  idsIn(holder: Holder, scope: ScopeInput): string[] {
    const { shown } = this.#credentials.get(holder.credentialId);
    const space = spaceOf(shown, fullScope(scope));
    return this.ids.filter((id) => this.#entries.get(id)?.space === space);
  }

  /** The current revision of a record. */
  revisionOf(id: string): number | undefined {
    return this.#entries.get(id)?.record.revision;
  }

  /** The end of validity of a record; `null` when it has none or is deleted. */
  endOf(id: string): number | null {
    return this.#entries.get(id)?.record.payload?.valid_until_millis ?? null;
  }

  /** Runs a command; `madeId` is the id in the answer to a create. */
  execute(holder: Holder, command: Command, now: number, madeId: string | undefined): Receipt {
    const { operation, idempotency_key: key } = command;
    this.#credentials.authenticate(holder, now);
    if (!isWellFormed(operation)) throw new Refusal('invalid_request');
    const scope = validScope(command.scope);
    const credential = this.#credentials.authorize(holder, 'memory_write', scope, now);
    if (!isText(key)) throw new Refusal('invalid_request');
    const space = spaceOf(credential, scope);
    const author = { credential_id: credential.id, subject_id: credential.spec.subject_id };
    const place = JSON.stringify([space, author.subject_id, key]);
    const form = sorted(normal(operation));
    const known = this.#receipts.get(place);
    if (known !== undefined) {
      if (known.form !== form) throw new Refusal('idempotency_conflict');
      return known.receipt;
    }
    const { record, action } = this.#next(operation, { space, author, now, madeId });
    this.#entries.set(record.record_id, { space, record });
    const receipt: Receipt = {
      contract_version: 1,
      idempotency_key: key,
      record_id: record.record_id,
      revision: record.revision,
      action,
      committed_at_millis: now,
      author,
    };
    this.#receipts.set(place, { form, receipt });
    return receipt;
  }

  /** Runs a batch; `madeIds` are the ids in the answer. */
  executeBatch(
    holder: Holder,
    { commands, idempotency_key: key }: Batch,
    now: number,
    madeIds: readonly string[],
  ): BatchReceipt {
    this.#credentials.authenticate(holder, now);
    if (commands.some(({ operation }) => !isWellFormed(operation))) {
      throw new Refusal('invalid_request');
    }
    const scopes = commands.map(({ scope }) => validScope(scope));
    if (!isText(key) || !commands.every(({ operation }) => isWithinRules(operation))) {
      throw new Refusal('invalid_request');
    }
    const authorized = scopes.map((scope) =>
      this.#credentials.authorize(holder, 'memory_write', scope, now),
    );
    const [credential = this.#credentials.get(holder.credentialId).shown] = authorized;
    const author = { credential_id: credential.id, subject_id: credential.spec.subject_id };
    const place = JSON.stringify([credential.tenant_id, author.subject_id, key]);
    const form = sorted(commands.map(({ operation }, index) => [scopes[index], normal(operation)]));
    const known = this.#batches.get(place);
    if (known !== undefined) {
      if (known.form !== form) throw new Refusal('idempotency_conflict');
      return known.receipt;
    }
    const outcomes = this.#allOrNone(() =>
      commands.map(({ operation }, index) => {
        const space = spaceOf(credential, scopes[index]!);
        const { record, action } = this.#next(operation, {
          space,
          author,
          now,
          madeId: madeIds[index] ?? `${NOT_MADE} ${index}`,
        });
        this.#entries.set(record.record_id, { space, record });
        return { record_id: record.record_id, revision: record.revision, action };
      }),
    );
    const receipt: BatchReceipt = {
      contract_version: 1,
      idempotency_key: key,
      outcomes,
      committed_at_millis: now,
      author,
    };
    this.#batches.set(place, { form, receipt });
    return receipt;
  }

  /** Runs changes; if one is refused, takes back those before it. */
  #allOrNone<T>(run: () => T): T {
    const before = [...this.#entries];
    try {
      return run();
    } catch (error) {
      this.#entries.clear();
      for (const [id, entry] of before) this.#entries.set(id, entry);
      throw error;
    }
  }

  /** Reads a record. */
  read(holder: Holder, scopeInput: ScopeInput, id: string, now: number): MemoryRecord {
    this.#credentials.authenticate(holder, now);
    const scope = validScope(scopeInput);
    const credential = this.#credentials.authorize(holder, 'memory_read', scope, now);
    if (!UUID.test(id)) throw new Refusal('invalid_request');
    const entry = this.#entries.get(id.toLowerCase());
    const shown = entry?.space === spaceOf(credential, scope) ? visible(entry, now) : undefined;
    if (shown === undefined) throw new Refusal('record_not_found');
    return shown;
  }

  /** Reads the record of a name. */
  readNamed(holder: Holder, scopeInput: ScopeInput, name: string, now: number): MemoryRecord {
    this.#credentials.authenticate(holder, now);
    const scope = validScope(scopeInput);
    if (!isText(name, NAME_MAX)) throw new Refusal('invalid_request');
    const credential = this.#credentials.authorize(holder, 'memory_read', scope, now);
    const entry = this.#namedIn(spaceOf(credential, scope), name);
    const shown = entry && visible(entry, now);
    if (shown === undefined) throw new Refusal('record_not_found');
    return shown;
  }

  /** One page of a query. */
  query(holder: Holder, scopeInput: ScopeInput, filter: Filter, now: number): QueryPage {
    this.#credentials.authenticate(holder, now);
    const scope = validScope(scopeInput);
    const credential = this.#credentials.authorize(holder, 'memory_read', scope, now);
    const { limit = 100, scan_limit = 10_000, after = '' } = filter;
    if (limit < 1 || limit > 1_000 || scan_limit < 1 || scan_limit > 10_000) {
      throw new Refusal('invalid_request');
    }
    const space = spaceOf(credential, scope);
    const start = after.toLowerCase();
    const ids = this.ids.filter((id) => id > start && this.#entries.get(id)?.space === space);
    const records: MemoryRecord[] = [];
    let scanned_records = 0;
    for (const id of ids.sort()) {
      scanned_records += 1;
      const shown = visible(this.#entries.get(id)!, now);
      if (shown !== undefined && matches(shown, filter)) records.push(shown);
      if (records.length === limit || scanned_records === scan_limit) {
        return { records, next_after: id, scanned_records };
      }
    }
    return { records, next_after: null, scanned_records };
  }

  #namedIn(space: string, name: string): Entry | undefined {
    return [...this.#entries.values()].find(
      (entry) => entry.space === space && entry.record.name === name,
    );
  }

  #next(operation: Command['operation'], made: Made): Next {
    const isEnd = operation.type === 'delete' || operation.type === 'remove';
    if (!isWithinRules(operation)) throw new Refusal('invalid_request');
    const current = this.#current(operation, made);
    const payload = isEnd ? null : filled(operation.record);
    const { author, now } = made;
    const changed = { schema_version: 1, modified_at_millis: now, author, payload } as const;
    if (current === undefined) {
      const name = isNamed(operation) ? { name: operation.name } : {};
      const first = { record_id: this.#freshId(made), revision: 1, created_at_millis: now };
      return { record: { ...changed, ...first, ...name }, action: 'created' };
    }
    const { record_id, created_at_millis, name } = current;
    const revision = current.revision + 1;
    const kept = isEnd || name === undefined ? {} : { name };
    const record = { ...changed, record_id, revision, created_at_millis, ...kept };
    return { record, action: isEnd ? 'deleted' : 'updated' };
  }

  /** The record to change; `undefined` if the change makes one. */
  #current(operation: Command['operation'], { space, now }: Made): Entry['record'] | undefined {
    if (operation.type === 'create') return undefined;
    if (isNamed(operation)) {
      const entry = this.#namedIn(space, operation.name);
      const expected = operation.expected_revision;
      if (expected === 0 && entry !== undefined && visible(entry, now) !== undefined) {
        throw new Refusal('revision_conflict');
      }
      const isExpectedThere = expected !== undefined && expected > 0;
      if (entry === undefined && (isExpectedThere || operation.type === 'remove')) {
        throw new Refusal('record_not_found');
      }
      if (isExpectedThere && entry?.record.revision !== expected) {
        throw new Refusal('revision_conflict');
      }
      return entry?.record;
    }
    const entry = this.#entries.get(operation.record_id.toLowerCase());
    if (entry?.space !== space) throw new Refusal('record_not_found');
    const { revision, payload } = entry.record;
    if (revision !== operation.expected_revision) throw new Refusal('revision_conflict');
    if (payload === null) throw new Refusal('record_not_found');
    return entry.record;
  }

  #freshId({ madeId = NOT_MADE }: Made): string {
    const isFresh = VERSION_7.test(madeId) && !this.#entries.has(madeId);
    if (!isFresh && !madeId.startsWith(NOT_MADE)) {
      throw new Error(`A create was answered with the id ${madeId}.`);
    }
    return madeId;
  }
}

/** The space of records: one for each tenant, scope and, when private, subject. */
function spaceOf({ tenant_id, spec }: Credential, scope: Scope): string {
  const { project_id, mission_id, agent_id, visibility } = scope;
  const owner = visibility === 'private' ? spec.subject_id : null;
  return JSON.stringify([tenant_id, project_id, mission_id, agent_id, visibility, owner]);
}

function visible({ record }: Entry, now: number): MemoryRecord | undefined {
  const { payload } = record;
  if (payload === null) return undefined;
  const { valid_until_millis: end } = payload;
  return end === null || now < end ? { ...record, payload } : undefined;
}

function matches({ payload }: MemoryRecord, filter: Filter): boolean {
  const { text_contains, episode_type, tag, tags = [] } = filter;
  const { primary, secondary, context } = payload.content;
  const wanted = new RegExp(literally(text_contains ?? ''), 'iu');
  return (
    [primary, secondary ?? '', context ?? ''].some((part) => wanted.test(part)) &&
    (episode_type === undefined || sorted(episode_type) === sorted(payload.episode_type)) &&
    [...tags, ...(tag === undefined ? [] : [tag])].every((each) => payload.tags.includes(each))
  );
}

/** Escapes every character, so that the expression matches exactly the text. */
function literally(text: string): string {
  return Array.from(text, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`).join('');
}
