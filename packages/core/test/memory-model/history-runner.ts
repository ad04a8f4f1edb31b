/**
 * Runs the steps of a history on a keep and on the model, and compares every answer.
 */
import { expect } from 'vitest';
import {
  type Agent,
  type Credential,
  type Keep,
  type MemoryRecord,
  openKeep,
  type Receipt,
  type ScopeInput,
  type Store,
} from '../../src/index.js';
import { bootstrapTenant } from '../../src/operator.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { type Caller, callerOf, withoutSecret } from './callers.js';
import { compareCounts } from './counts.js';
import { changed, type Mark, markedFor, markOf, recordOf, respelled, send } from './commands.js';
import { CredentialModel } from '@agentkeep/testkit/credential-model';
import { type Command, type Filter, MemoryModel } from '@agentkeep/testkit/memory-model';
import { expected, type Outcome, outcome } from '@agentkeep/testkit/outcome';
import { everyRecord, queryOf } from './queries.js';
import { winnersFirst } from './races.js';
import { type ChangePlan, GRANTED, type Step, type Target, TENANTS } from './steps.js';

type StepOf<T extends Step['type']> = Extract<Step, { type: T }>;

/** Where a history takes place. */
export interface Place {
  /** Opens the one store of the place. */
  open(): Promise<Store>;
  /** Leaves a keep, to open the store again. */
  leave(keep: Keep): Promise<void>;
}

/** How many answers of each kind were compared. */
export type Tally = Map<string, number>;

const NOWHERE = '01900000-0000-7000-8000-000000000000';

/** One installation with its model. */
export class HistoryRunner {
  readonly #place: Place;
  readonly #tally: Tally;
  readonly #clock = new ManualClock();
  readonly #credentials = new CredentialModel();
  readonly #memory = new MemoryModel(this.#credentials);
  readonly #admins: Caller[] = [];
  readonly #callers: Caller[] = [];
  readonly #sent: { readonly caller: Caller; readonly command: Command }[] = [];
  readonly #agents = new Map<Caller, Agent>();
  #keep: Keep | undefined;
  #lastId = '';
  #keys = 0;

  constructor(place: Place, tally: Tally) {
    this.#place = place;
    this.#tally = tally;
  }

  /** Makes the tenants, each with the same subjects. */
  async start(): Promise<void> {
    const keep = await this.#open();
    for (const [tenant, tenantId] of TENANTS.entries()) {
      const made = await bootstrapTenant(keep, { tenantId, subjectId: 'ops' });
      this.#credentials.add(made.credential);
      this.#admins.push(callerOf(made, 0));
      for (const subject_id of ['ann', 'ann', 'bob']) {
        const authority = { grants: GRANTED };
        const capabilities = ['memory_read', 'memory_write'] as const;
        await this.#issue({
          type: 'issue',
          tenant,
          spec: { subject_id, capabilities, authority, expiresInMs: null },
        });
      }
    }
  }

  /** Runs one step. */
  async run(step: Step): Promise<void> {
    switch (step.type) {
      case 'command':
        return this.#command(step);
      case 'repeat':
        return this.#repeat(step);
      case 'race':
        return this.#race(step);
      case 'read':
        return this.#read(step);
      case 'query':
        return this.#query(step);
      case 'pass':
        return this.#pass(step.ms);
      case 'expire':
        return this.#expire(step);
      case 'issue':
        return this.#issue(step);
      case 'rotate':
      case 'revoke':
      case 'rescope':
        return this.#changeCredential(step);
      case 'inspect':
        return this.#inspect(step);
      case 'list':
        return this.#list(step);
      case 'reopen':
        await this.#reopen();
        return;
    }
  }

  /** Opens once more, repeats every command, and looks at everything through every caller. */
  async finish(): Promise<void> {
    await this.#reopen();
    for (const { caller, command } of [...this.#sent]) await this.#send(caller, command);
    for (const caller of this.#callers) {
      for (const scope of GRANTED) await this.#traverse(caller, scope, {});
    }
    for (const [index, id] of this.#memory.ids.entries()) {
      await this.#readId(at(this.#callers, index), at(GRANTED, index), id);
    }
    await compareCounts(await this.#reopen(), this.#credentials, this.#memory);
  }

  /** Closes the keep. */
  async close(): Promise<void> {
    await this.#keep?.close();
  }

  async #open(): Promise<Keep> {
    this.#keep = await openKeep({ store: await this.#place.open(), clock: this.#clock });
    this.#agents.clear();
    // Another opening knows nothing of the ids that were made ahead of the clock.
    this.#lastId = '';
    return this.#keep;
  }

  async #reopen(): Promise<Keep> {
    if (this.#keep !== undefined) await this.#place.leave(this.#keep);
    return this.#open();
  }

  async #pass(ms: number): Promise<void> {
    if (ms >= 0) this.#clock.advance(ms);
    else this.#clock.stepTo(this.#clock.now() + ms);
    return Promise.resolve();
  }

  async #expire({ caller: number, scope, index, off }: StepOf<'expire'>): Promise<void> {
    const caller = at(this.#callers, number);
    const ends = this.#memory.idsIn(caller, scope).flatMap((id) => {
      const end = this.#memory.endOf(id);
      return end === null ? [] : [{ id, end }];
    });
    if (ends.length === 0) return;
    const { id, end } = at(ends, index);
    this.#clock.stepTo(end + off);
    await this.#readId(caller, scope, id);
    await this.#traverse(caller, scope, {});
  }

  async #agent(caller: Caller): Promise<Agent> {
    const agent = this.#agents.get(caller) ?? (await this.#keep!.authenticate(caller.secret));
    this.#agents.set(caller, agent);
    return agent;
  }

  #ask<T>(caller: Caller, call: (agent: Agent) => Promise<T>): Promise<Outcome<T>> {
    return outcome(this.#agent(caller).then(call));
  }

  #compare<T>(what: string, actual: Outcome<T>, model: () => T): void {
    expect(actual).toEqual(expected(model));
    const kind = `${what} ${'error' in actual ? actual.error : 'done'}`;
    this.#tally.set(kind, (this.#tally.get(kind) ?? 0) + 1);
  }

  #admin(tenant: number): { caller: Caller; shown: Credential } {
    const caller = at(this.#admins, tenant);
    return { caller, shown: this.#credentials.get(caller.credentialId).shown };
  }

  #markFor(caller: Caller, { visibility }: ScopeInput): Mark {
    const { tenant_id, spec } = this.#credentials.get(caller.credentialId).shown;
    return { tenant: tenant_id, owner: visibility === 'private' ? spec.subject_id : null };
  }

  #idOf({ from, index }: Target, caller: Caller, scope: ScopeInput): string {
    if (from === 'no id') return 'no-id';
    if (from === 'nowhere') return NOWHERE;
    const near = from === 'scope' ? this.#memory.idsIn(caller, scope) : [];
    const ids = near.length === 0 ? this.#memory.ids : near;
    return ids[index % ids.length] ?? NOWHERE;
  }

  #freshKey(): string {
    this.#keys += 1;
    return `fresh-${this.#keys}`;
  }

  #commandOf(caller: Caller, scope: ScopeInput, change: ChangePlan, key: string): Command {
    const record = recordOf(change.record, this.#markFor(caller, scope), this.#clock.now());
    const command = { scope, idempotency_key: key };
    const isEmpty = this.#memory.idsIn(caller, scope).length === 0;
    if (change.type === 'create' || (isEmpty && change.target.from === 'scope')) {
      return { ...command, operation: { type: 'create', record } };
    }
    const record_id = this.#idOf(change.target, caller, scope);
    const expected_revision = Math.max(0, (this.#memory.revisionOf(record_id) ?? 1) + change.off);
    const target = { record_id, expected_revision };
    return change.type === 'update'
      ? { ...command, operation: { type: 'update', ...target, record } }
      : { ...command, operation: { type: 'delete', ...target } };
  }

  async #send(caller: Caller, command: Command): Promise<void> {
    const actual = await this.#ask(caller, ({ memory }) => send(memory, command));
    this.#settle(caller, command, actual);
  }

  #settle(caller: Caller, command: Command, actual: Outcome<Receipt>): void {
    const madeId = 'value' in actual ? actual.value.record_id : undefined;
    const isNew = madeId !== undefined && this.#memory.revisionOf(madeId) === undefined;
    this.#compare(command.operation.type, actual, () =>
      this.#memory.execute(caller, command, this.#clock.now(), madeId),
    );
    if (!isNew) return;
    expect(madeId > this.#lastId).toBe(true);
    this.#lastId = madeId;
  }

  async #command({ caller: number, scope, change, key }: StepOf<'command'>): Promise<void> {
    const caller = at(this.#callers, number);
    const command = this.#commandOf(caller, scope, change, key ?? this.#freshKey());
    this.#sent.push({ caller, command });
    await this.#send(caller, command);
  }

  async #repeat({ command: number, caller: other, spelling }: StepOf<'repeat'>): Promise<void> {
    if (this.#sent.length === 0) return;
    const { caller: first, command } = at(this.#sent, number);
    const caller = other === null ? first : at(this.#callers, other);
    const marked = markedFor(command, this.#markFor(caller, command.scope));
    const spell = { same: (it: Command) => it, other: respelled, changed }[spelling];
    await this.#send(caller, spell(marked));
  }

  /** At most one of those who race wins, wherever they meet; the model is told the winner first. */
  async #race({ caller, scope, change, over, count, isMixed }: StepOf<'race'>): Promise<void> {
    const sharedKey = this.#freshKey();
    const racers = Array.from({ length: count }, (_, index) => {
      const racer = at(this.#callers, caller + (isMixed ? index : 0));
      const type =
        over === 'revision' ? (index % 3 === 2 ? 'delete' : 'update') : ('create' as const);
      const primary = over === 'create' ? 'same' : `racer ${index}`;
      const plan = { ...change, type, record: { ...change.record, primary } } as const;
      const key = over === 'revision' ? this.#freshKey() : sharedKey;
      return { caller: racer, command: this.#commandOf(racer, scope, plan, key) };
    });
    const answers = await Promise.all(
      racers.map(async (racer) => {
        const actual = await this.#ask(racer.caller, ({ memory }) => send(memory, racer.command));
        return { ...racer, actual };
      }),
    );
    for (const each of winnersFirst(answers)) {
      this.#settle(each.caller, each.command, each.actual);
    }
  }

  async #read({ caller: number, scope, target }: StepOf<'read'>): Promise<void> {
    const caller = at(this.#callers, number);
    const id = this.#idOf(target, caller, scope);
    await this.#readId(caller, scope, number % 2 === 0 ? id : id.toUpperCase());
  }

  async #readId(caller: Caller, scope: ScopeInput, id: string): Promise<void> {
    const actual = await this.#ask(caller, ({ memory }) => memory.read(scope, id));
    this.#compare('read', actual, () => this.#memory.read(caller, scope, id, this.#clock.now()));
    if ('value' in actual) this.#checkMarks(caller, scope, [actual.value]);
  }

  #checkMarks(caller: Caller, scope: ScopeInput, records: readonly MemoryRecord[]): void {
    const mark = this.#markFor(caller, scope);
    for (const { payload } of records) expect(markOf(payload)).toEqual(mark);
  }

  async #query({ caller: number, scope, filter, after }: StepOf<'query'>): Promise<void> {
    const caller = at(this.#callers, number);
    if (after === null) return this.#traverse(caller, scope, filter);
    const from = after.from === 'no id' ? 'nowhere' : after.from;
    const start = this.#idOf({ ...after, from }, caller, scope);
    return this.#traverse(caller, scope, { ...filter, after: start });
  }

  /** Every page is as the model says, and the pages together are the whole, in order, once. */
  async #traverse(caller: Caller, scope: ScopeInput, filter: Filter): Promise<void> {
    const now = this.#clock.now();
    const records: MemoryRecord[] = [];
    let scanned = 0;
    let next = filter.after ?? null;
    do {
      const wanted = next === null ? filter : { ...filter, after: next };
      const actual = await this.#ask(caller, ({ memory }) =>
        memory.queryPage(scope, queryOf(wanted)),
      );
      this.#compare('query', actual, () => this.#memory.query(caller, scope, wanted, now));
      if ('error' in actual) return;
      records.push(...actual.value.records);
      scanned += actual.value.scanned_records;
      next = actual.value.next_after;
    } while (next !== null);
    this.#checkMarks(caller, scope, records);
    const whole = this.#memory.query(
      caller,
      scope,
      { ...filter, limit: 1_000, scan_limit: 1e4 },
      now,
    );
    expect({ records, scanned_records: scanned, next_after: null }).toEqual(whole);
    const { memory } = await this.#agent(caller);
    expect(await everyRecord(memory, scope, filter)).toEqual(records);
  }

  async #issue({ tenant, spec }: StepOf<'issue'>): Promise<void> {
    const { caller, shown } = this.#admin(tenant);
    const now = this.#clock.now();
    const { subject_id, capabilities, authority, expiresInMs } = spec;
    const asked = {
      subject_id,
      capabilities: [...capabilities],
      ...authority,
      grants: [...authority.grants],
      expires_at_millis: expiresInMs === null ? null : now + expiresInMs,
    };
    const actual = await this.#ask(caller, ({ credentials }) => credentials.issue(asked));
    const id = 'value' in actual ? actual.value.credential.id : NOWHERE;
    this.#compare('issue', withoutSecret(actual), () =>
      this.#credentials.issue(shown, id, asked, now),
    );
    if ('value' in actual) this.#callers.push(callerOf(actual.value, 0));
  }

  async #changeCredential(step: StepOf<'rotate' | 'revoke' | 'rescope'>): Promise<void> {
    const { caller, shown } = this.#admin(step.tenant);
    const now = this.#clock.now();
    const id = at(this.#callers, step.credential).credentialId;
    const { shown: target, secretNumber } = this.#credentials.get(id);
    const revision = target.revision + step.off;
    if (step.type === 'rotate') {
      const actual = await this.#ask(caller, ({ credentials }) => credentials.rotate(id, revision));
      this.#compare('rotate', withoutSecret(actual), () =>
        this.#credentials.rotate(shown, id, revision, now),
      );
      if ('value' in actual) this.#callers.push(callerOf(actual.value, secretNumber + 1));
    } else if (step.type === 'revoke') {
      const actual = await this.#ask(caller, ({ credentials }) => credentials.revoke(id, revision));
      this.#compare('revoke', actual, () => this.#credentials.revoke(shown, id, revision, now));
    } else {
      const authority = { ...step.authority, grants: [...step.authority.grants] };
      const change = { expectedRevision: revision, authority };
      const actual = await this.#ask(caller, ({ credentials }) =>
        credentials.changeScopeAuthority(id, revision, authority),
      );
      this.#compare('rescope', actual, () => this.#credentials.rescope(shown, id, change, now));
    }
  }

  async #inspect({ tenant, credential }: StepOf<'inspect'>): Promise<void> {
    const { caller, shown } = this.#admin(tenant);
    const holder = at(this.#callers, credential);
    const id = holder.credentialId;
    const actual = await this.#ask(caller, ({ credentials }) => credentials.inspect(id));
    this.#compare('inspect', actual, () => this.#credentials.inspect(shown, id));
    const own = await this.#ask(holder, (agent) => agent.whoAmI());
    this.#compare('who am I', own, () => this.#credentials.authenticate(holder, this.#clock.now()));
  }

  async #list({ tenant, limit }: StepOf<'list'>): Promise<void> {
    const { caller, shown } = this.#admin(tenant);
    const { credentials } = await this.#agent(caller);
    const all = this.#credentials.list(shown.tenant_id);
    let cursor: string | null = null;
    for (let from = 0; from < all.length; from += limit) {
      const position: { cursor?: string } = cursor === null ? {} : { cursor };
      const page = await credentials.listPage({ limit, ...position });
      expect(page.items).toEqual(all.slice(from, from + limit));
      cursor = page.next_cursor;
      expect(cursor === null).toBe(from + limit >= all.length);
    }
  }
}

function at<T>(items: readonly T[], index: number): T {
  return items[index % items.length]!;
}
