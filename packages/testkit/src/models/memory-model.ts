/**
 * Memory in plain objects, from the contract alone (docs/contract/memory.md). Every query looks at
 * every record and compares whole texts.
 */
import type {
  BatchReceipt,
  Credential,
  MemoryRecord,
  MemoryRevision,
  QueryPage,
  Receipt,
  ScopeInput,
} from '@agentkeep/core';
import { ChangeModel, changeOf, type SeenChange } from './change-model.js';
import { type CredentialModel, fullScope, type Holder } from './credential-model.js';
import { actionOf, payloadOf } from './memory-change.js';
import {
  type Batch,
  type Command,
  isNamed,
  isText,
  isWellFormed,
  isWithinRules,
  NAME_MAX,
  normal,
  sorted,
  spaceOf,
  UUID,
  validScope,
} from './memory-command.js';
import { EmbeddingModel } from './embedding-model.js';
import {
  type Entry,
  recordAsOf,
  recordAt,
  redactedEntry,
  revisionsOf,
  visible,
} from './memory-history.js';
import { type Filter, queryPage } from './memory-filter.js';
import { pageOfSearch } from './search/memory-search.js';
import type { Search, SearchedPage, SearchStart } from './search/searched-page.js';
import { freshId, NOT_MADE } from './made-id.js';
import { type AskedTrace, LineageModel, scopeOfSpace, type TracedModel } from './lineage-model.js';
import { currentOf, entryIn, nameAfter, namedIn } from './memory-target.js';
import { authorOf, type Made, nextEntry } from './next-entry.js';
import { Refusal } from './outcome.js';
import { RetentionModel } from './retention-model.js';
import { StateModel } from './state-model.js';

type Right = 'memory_read' | 'memory_write';

/** What a change makes of a record. */
interface Next {
  readonly entry: Entry;
  readonly outcome: Pick<Receipt, 'record_id' | 'revision' | 'action'>;
}

/** All records of all tenants. */
export class MemoryModel {
  /** Every change that took effect. */
  readonly changes: ChangeModel;
  readonly #credentials: CredentialModel;
  readonly #entries = new Map<string, Entry>();
  /** The records and the rest of deleted ones. */
  readonly entries: ReadonlyMap<string, Entry> = this.#entries;
  readonly #receipts = new Map<string, { form: string; receipt: Receipt }>();
  /** How long the memory of each tenant is kept. */
  readonly retention: RetentionModel;
  /** Attached embeddings and their spaces. */
  readonly embeddings = new EmbeddingModel(this.#entries);
  readonly #batches = new Map<string, { form: string; receipt: BatchReceipt }>();
  /** Every state of every record. */
  readonly states = new StateModel(this.#entries);
  /** What records were derived from. */
  readonly lineage: LineageModel;

  /** Whether superseded revisions of a space are kept for its branches. */
  isHeld: (space: string, now: number) => boolean = () => false;

  /** A copy has the retention and the lineage of the model that it was taken of. */
  constructor(credentials: CredentialModel, of?: Pick<MemoryModel, 'retention' | 'lineage'>) {
    this.#credentials = credentials;
    this.changes = new ChangeModel(credentials);
    this.retention = of?.retention ?? new RetentionModel();
    this.lineage = of?.lineage ?? new LineageModel(credentials, this.#entries, this.retention);
  }

  /** Puts a record into a copy, or takes one away. */
  place(id: string, entry: Entry | undefined): void {
    if (entry === undefined) this.#entries.delete(id);
    else this.#entries.set(id, entry);
  }

  /** Notes a change of a branch or a proposal, which readers of changes pass over. */
  passOver(holder: Holder, now: number): void {
    const { tenant_id: tenantId } = this.#credentials.heldBy(holder);
    this.changes.addHidden({ tenantId, committed_at_millis: now });
    this.states.add(undefined);
  }

  /** Stores what a branch made of a record. */
  adopt(holder: Holder, entry: Entry, outcome: Parameters<typeof changeOf>[1], now: number): void {
    this.#store(entry);
    const change = changeOf(scopeOfSpace(entry.space), outcome, now);
    this.#add(this.#credentials.heldBy(holder), entry, change);
  }

  /** The ids of all records, deleted ones included. */
  get ids(): string[] {
    return [...this.#entries.keys()];
  }

  /** The numbers of records that aren't deleted and of commands that succeeded. */
  get counts(): { readonly memory_records: number; readonly receipts: number } {
    const current = [...this.#entries.values()].filter(({ record }) => record.payload !== null);
    return { memory_records: current.length, receipts: this.#receipts.size + this.#batches.size };
  }

  /** The ids of all records in a scope of a holder, deleted ones included. */
  idsIn(holder: Holder, scope: ScopeInput): string[] {
    const space = spaceOf(this.#credentials.heldBy(holder), fullScope(scope));
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

  /** When the content of a deleted record goes, if it is kept. */
  contentEndOf(id: string): number | null {
    return this.#entries.get(id)?.keptUntil ?? null;
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
    const author = authorOf(credential);
    const place = JSON.stringify([space, author.subject_id, key]);
    const form = sorted(normal(operation));
    const known = this.#receipts.get(place);
    if (known !== undefined) {
      if (known.form !== form) throw new Refusal('idempotency_conflict');
      return known.receipt;
    }
    if (!isWithinRules(operation)) throw new Refusal('invalid_request');
    const sources = this.lineage.require(holder, operation, { space, now });
    const made = this.#made({ space, author, now, madeId, key });
    const { entry, outcome } = this.#next(operation, made);
    const isChange = this.#store(entry);
    this.lineage.follow(operation, outcome, { space, sources });
    const receipt: Receipt = {
      contract_version: 1,
      idempotency_key: key,
      ...outcome,
      committed_at_millis: now,
      author,
    };
    this.#receipts.set(place, { form, receipt });
    this.embeddings.follow(operation, outcome);
    if (isChange) this.#add(credential, entry, changeOf(scope, receipt, now));
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
    const [credential = this.#credentials.heldBy(holder)] = authorized;
    const author = authorOf(credential);
    const place = JSON.stringify([credential.tenant_id, author.subject_id, key]);
    const form = sorted(commands.map(({ operation }, index) => [scopes[index], normal(operation)]));
    const known = this.#batches.get(place);
    if (known !== undefined) {
      if (known.form !== form) throw new Refusal('idempotency_conflict');
      return known.receipt;
    }
    const done = this.#allOrNone(() =>
      commands.map(({ operation }, index) => {
        const space = spaceOf(credential, scopes[index]!);
        const madeId = madeIds[index] ?? `${NOT_MADE} ${index}`;
        const made = this.#made({ space, author, now, madeId, key });
        const sources = this.lineage.require(holder, operation, { space, now });
        const { entry, outcome } = this.#next(operation, made);
        return { outcome, entry, isChange: this.#store(entry), space, sources };
      }),
    );
    const outcomes = done.map(({ outcome }) => outcome);
    const receipt: BatchReceipt = {
      contract_version: 1,
      idempotency_key: key,
      outcomes,
      committed_at_millis: now,
      author,
    };
    this.#batches.set(place, { form, receipt });
    for (const [index, { outcome, entry, isChange, ...derived }] of done.entries()) {
      this.lineage.follow(commands[index]!.operation, outcome, derived);
      this.embeddings.follow(commands[index]!.operation, outcome);
      if (isChange) this.#add(credential, entry, changeOf(scopes[index]!, outcome, now));
    }
    return receipt;
  }

  #add(credential: Credential, entry: Entry, change: SeenChange): void {
    this.changes.add(credential, change);
    this.states.add(entry);
  }

  /** Stores a record; returns whether it differs from before. */
  #store(entry: Entry): boolean {
    const { record_id: id } = entry.record;
    const isChange = this.#entries.get(id) !== entry;
    this.#entries.set(id, entry);
    return isChange;
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
    const space = this.spaceFor(holder, 'memory_read', scopeInput, now);
    if (!UUID.test(id)) throw new Refusal('invalid_request');
    const entry = this.#entries.get(id.toLowerCase());
    const shown = entry?.space === space ? visible(entry, now) : undefined;
    if (shown === undefined) throw new Refusal('record_not_found');
    return this.lineage.shown(shown);
  }

  /** Reads a revision of a record, by its number or as of a time. */
  readRevision(
    holder: Holder,
    scopeInput: ScopeInput,
    id: string,
    at: { readonly revision?: number; readonly asOfMillis?: number; readonly now: number },
  ): MemoryRecord {
    const { revision, asOfMillis = 0, now } = at;
    const isWellAsked = revision === undefined ? asOfMillis >= 0 : revision >= 1;
    this.#credentials.authenticate(holder, now);
    if (!isWellAsked) throw new Refusal('invalid_request');
    const entry = this.#readable(holder, scopeInput, id, now);
    const then = { now, retention: this.retention.in(entry.space) };
    const isByTime = revision === undefined;
    const found = isByTime ? recordAsOf(entry, asOfMillis, then) : recordAt(entry, revision, then);
    return this.lineage.shown(found);
  }

  /** Lists the revisions of a record. */
  revisions(holder: Holder, scopeInput: ScopeInput, id: string, now: number): MemoryRevision[] {
    const entry = this.#readable(holder, scopeInput, id, now);
    return revisionsOf(entry, { now, retention: this.retention.in(entry.space) });
  }

  #readable(holder: Holder, scopeInput: ScopeInput, id: string, now: number): Entry {
    const space = this.spaceFor(holder, 'memory_read', scopeInput, now);
    if (!UUID.test(id)) throw new Refusal('invalid_request');
    return entryIn(this.#entries, space, id);
  }

  /** Reads the record of a name. */
  readNamed(holder: Holder, scopeInput: ScopeInput, name: string, now: number): MemoryRecord {
    this.#credentials.authenticate(holder, now);
    validScope(scopeInput);
    if (!isText(name, NAME_MAX)) throw new Refusal('invalid_request');
    const entry = namedIn(
      this.#entries.values(),
      this.spaceFor(holder, 'memory_read', scopeInput, now),
      name,
    );
    const shown = entry && visible(entry, now);
    if (shown === undefined) throw new Refusal('record_not_found');
    return this.lineage.shown(shown);
  }

  /** One page of a query. */
  query(holder: Holder, scopeInput: ScopeInput, filter: Filter, now: number): QueryPage {
    const space = this.spaceFor(holder, 'memory_read', scopeInput, now);
    const { limit = 100, scan_limit = 10_000, after = '' } = filter;
    if (limit < 1 || limit > 1_000 || scan_limit < 1 || scan_limit > 10_000) {
      throw new Refusal('invalid_request');
    }
    const inSpace = [...this.#entries].filter(([, entry]) => entry.space === space);
    const page = queryPage(new Map(inSpace), { ...filter, limit, scan_limit, after }, now);
    return { ...page, records: page.records.map((each) => this.lineage.shown(each)) };
  }

  /** One page of a search after a cursor. */
  search(holder: Holder, search: Search, cursor: SearchStart, now: number): SearchedPage {
    this.#credentials.authenticate(holder, now);
    const scopes = search.scopes.map(validScope);
    const placed = scopes.map((scope) => {
      const credential = this.#credentials.authorize(holder, 'memory_read', scope, now);
      return [spaceOf(credential, scope), scope] as const;
    });
    const spaces = placed.map(([space]) => space);
    const attached = this.embeddings.seenBy(search, spaces);
    const asked = { search, cursor, now, attached };
    const page = pageOfSearch(this.#entries.values(), new Map(placed), asked);
    const matches = page.matches.map((match) => {
      return { ...match, record: this.lineage.shown(match.record) };
    });
    return { ...page, matches };
  }

  /** Traces what was derived from a revision; `told` is the answer. */
  trace(holder: Holder, asked: AskedTrace, now: number): TracedModel[] {
    if (asked.revision < 1) {
      this.#credentials.authenticate(holder, now);
      throw new Refusal('invalid_request');
    }
    const space = this.spaceFor(holder, 'memory_write', asked.scope, now);
    if (!UUID.test(asked.id)) throw new Refusal('invalid_request');
    const credential = this.#credentials.heldBy(holder);
    const author = authorOf(credential);
    const key = `dependents of ${asked.id.toLowerCase()} ${asked.revision}`;
    return this.lineage.trace(holder, { ...asked, space, now }, (operation, place) => {
      const made = this.#made({ space: place, author, now, madeId: undefined, key });
      const { entry, outcome } = this.#next(operation, made);
      const isChange = this.#store(entry);
      this.lineage.follow(operation, outcome, { space: place, sources: [] });
      if (isChange) this.#add(credential, entry, changeOf(scopeOfSpace(place), outcome, now));
    });
  }

  /** The space of a scope for a caller with a right. */
  spaceFor(holder: Holder, right: Right, where: ScopeInput, now: number): string {
    this.#credentials.authenticate(holder, now);
    const scope = validScope(where);
    return spaceOf(this.#credentials.authorize(holder, right, scope, now), scope);
  }

  #made(at: Omit<Made, 'retention' | 'isHeld'>): Made {
    const { space, now } = at;
    return { ...at, retention: this.retention.in(space), isHeld: this.isHeld(space, now) };
  }

  #next(operation: Command['operation'], made: Made): Next {
    if (!isWithinRules(operation)) throw new Refusal('invalid_request');
    const { space } = made;
    if (operation.type === 'redact') {
      const { revision } = operation;
      const entry = redactedEntry(
        entryIn(this.#entries, space, operation.record_id),
        revision,
        made,
      );
      const { record_id } = entry.record;
      return { entry, outcome: { record_id, revision, action: 'redacted' } };
    }
    const current = currentOf(this.#entries, operation, made);
    const payload = payloadOf(operation, current, made);
    if (current === undefined) {
      const madeId = freshId(made.madeId, this.#entries);
      const name = isNamed(operation) ? operation.name : undefined;
      const entry = nextEntry(undefined, payload, { ...made, madeId }, name);
      return { entry, outcome: { record_id: madeId, revision: 1, action: 'created' } };
    }
    const name = nameAfter(this.#entries, operation, current);
    const entry = nextEntry(current, payload, made, name);
    const { record_id, revision } = entry.record;
    return { entry, outcome: { record_id, revision, action: actionOf(operation) } };
  }
}
