/**
 * What records were derived from, in plain objects and from the contract alone
 * (docs/contract/lineage.md).
 */
import type { MemoryRecord, Scope, ScopeInput } from '@agentkeep/core';
import type { OutputOf } from '@agentkeep/core/clients';
import type { CredentialModel, Holder } from './credential-model.js';
import { type Command, spaceOf, validScope } from './memory-command.js';
import { type Entry, recordAt } from './memory-history.js';
import { Refusal } from './outcome.js';
import type { RetentionModel } from './retention-model.js';

type Operation = Command['operation'];
type Outcome = { readonly record_id: string; readonly revision: number };

type LostSource = NonNullable<MemoryRecord['lost_sources']>[number];

/** A revision that a record was derived from. */
export interface Source {
  readonly space: string;
  readonly id: string;
  readonly revision: number;
}

/** A derived revision and the result for it. */
export type TracedModel = OutputOf<'traceMemoryDependents'>['page']['dependents'][number];

/** A call of a trace, and what it was answered with. */
export interface AskedTrace {
  readonly scope: ScopeInput;
  readonly id: string;
  readonly revision: number;
  readonly told: readonly TracedModel[];
}

interface Trace {
  readonly mode: 'report' | 'cascade';
  readonly isWhole: boolean;
  /** Undefined until it was run. */
  found: readonly Found[] | undefined;
}

interface Found extends Source {
  readonly outcome: TracedModel['outcome'];
}

type Erase = (operation: Operation, space: string) => void;

/** What every revision was derived from, what was redacted, and the traces. */
export class LineageModel {
  readonly #credentials: CredentialModel;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #retention: RetentionModel;
  /** By record id and revision. */
  readonly #sources = new Map<string, readonly Source[]>();
  readonly #redacted = new Set<string>();
  readonly #traces = new Map<string, Trace>();

  constructor(
    credentials: CredentialModel,
    entries: ReadonlyMap<string, Entry>,
    retention: RetentionModel,
  ) {
    this.#credentials = credentials;
    this.#entries = entries;
    this.#retention = retention;
  }

  /** Every revision that something was derived from. */
  get sources(): Source[] {
    return [...this.#sources.values()].flat();
  }

  /** The sources that a command states, which its writer may read. */
  require(
    holder: Holder,
    operation: Operation,
    { space, now }: { readonly space: string; readonly now: number },
  ): readonly Source[] {
    const stated = 'record' in operation ? (operation.record.derived_from ?? []) : [];
    return stated.map(({ scope, record_id, revision }) => {
      const where = scope ? validScope(scope) : scopeOfSpace(space);
      const credential = this.#credentials.authorize(holder, 'memory_read', where, now);
      const place = scope ? spaceOf(credential, where) : space;
      const source = { space: place, id: record_id.toLowerCase(), revision };
      if (!this.#isThere(source, now)) throw new Refusal('record_not_found');
      return source;
    });
  }

  /** Remembers what a command did. */
  follow(
    operation: Operation,
    { record_id, revision }: Outcome,
    { space, sources }: { readonly space: string; readonly sources: readonly Source[] },
  ): void {
    const restored =
      operation.type === 'restore' ? this.#sources.get(`${record_id} ${operation.revision}`) : [];
    const all = sources.length > 0 ? sources : (restored ?? []);
    if (all.length > 0) this.#sources.set(`${record_id} ${revision}`, all);
    if (operation.type === 'redact') this.#redacted.add(`${space} ${record_id} ${revision}`);
    const mode = 'dependents' in operation ? operation.dependents : undefined;
    if (mode === undefined) return;
    const isWhole = operation.type !== 'redact';
    const trace = { mode, isWhole, found: undefined };
    this.#traces.set(`${space} ${record_id} ${revision}`, trace);
  }

  /** The record as answers show it: with what was taken away of its sources. */
  shown(record: MemoryRecord): MemoryRecord {
    const stated = record.payload.derived_from ?? [];
    const sources = this.#sources.get(`${record.record_id} ${record.revision}`) ?? [];
    const lost_sources = stated.flatMap((each, index): LostSource[] => {
      const source = sources[index];
      const reason = source && this.#lossOf(source);
      return reason === undefined ? [] : [{ ...each, reason }];
    });
    return lost_sources.length === 0 ? record : { ...record, lost_sources };
  }

  /** Runs a trace unless it was run, and shows what the holder may read of it. */
  trace(
    holder: Holder,
    { space, id, revision, now, told }: AskedTrace & { readonly space: string; now: number },
    erase: Erase,
  ): TracedModel[] {
    const trace = this.#traces.get(`${space} ${id.toLowerCase()} ${revision}`);
    if (trace === undefined) throw new Refusal('record_not_found');
    const root = { space, id: id.toLowerCase(), revision };
    trace.found ??= this.#run(holder, trace, { root, now, told }, erase);
    const shown = trace.found.flatMap((each): TracedModel[] => {
      const { id: record_id, revision: number, outcome } = each;
      if (!this.#may(holder, 'memory_read', each.space, now)) return [];
      return [{ scope: scopeOfSpace(each.space), record_id, revision: number, outcome }];
    });
    const placeIn = (each: TracedModel): number =>
      told.findIndex((it) => it.record_id === each.record_id && it.revision === each.revision);
    return shown.sort((one, other) => placeIn(one) - placeIn(other));
  }

  #run(
    holder: Holder,
    { mode, isWhole }: Trace,
    { root, now, told }: { root: Source; now: number; told: readonly TracedModel[] },
    erase: Erase,
  ): Found[] {
    const found = this.#closure(holder, mode, { root, isWhole, now });
    if (mode === 'report') return found;
    const deleted = new Set(found.filter((it) => it.outcome === 'deleted').map(({ id }) => id));
    const isTold = (each: Found): boolean =>
      told.some((it) => it.record_id === each.id && it.revision === each.revision);
    const redact = ({ id: record_id, revision, space }: Found): void => {
      erase({ type: 'redact', record_id, revision }, space);
    };
    const old = found.filter(({ outcome }) => outcome === 'redacted');
    // An old revision of a record that is deleted first may be gone before it is looked at.
    for (const each of old) if (!deleted.has(each.id) || isTold(each)) redact(each);
    for (const { outcome, id, revision, space } of found) {
      if (outcome !== 'deleted') continue;
      erase({ type: 'delete', record_id: id, expected_revision: revision }, space);
      if (this.#isThere({ space, id, revision }, now)) {
        erase({ type: 'redact', record_id: id, revision }, space);
      }
    }
    return found.filter(
      (each) =>
        each.outcome !== 'redacted' ||
        !deleted.has(each.id) ||
        isTold(each) ||
        this.#isThere(each, now),
    );
  }

  /** Everything that was derived, as far as the holder may read, and what is to become of it. */
  #closure(
    holder: Holder,
    mode: Trace['mode'],
    { root, isWhole, now }: { readonly root: Source; readonly isWhole: boolean; now: number },
  ): Found[] {
    const found = new Map<string, Found>();
    const waiting = [{ ...root, isWhole }];
    for (let source = waiting.shift(); source !== undefined; source = waiting.shift()) {
      for (const derived of this.#derivedFrom(source)) {
        const name = `${derived.id} ${derived.revision}`;
        if (found.has(name) || !this.#isThere(derived, now)) continue;
        if (!this.#may(holder, 'memory_read', derived.space, now)) {
          found.set(name, { ...derived, outcome: 'left' });
          continue;
        }
        const isCurrent = this.#entries.get(derived.id)?.record.revision === derived.revision;
        const isWritable = this.#may(holder, 'memory_write', derived.space, now);
        const erased = isCurrent ? 'deleted' : 'redacted';
        const outcome = mode === 'report' ? 'found' : isWritable ? erased : 'left';
        found.set(name, { ...derived, outcome });
        waiting.push({ ...derived, isWhole: isCurrent && outcome !== 'left' });
      }
    }
    return [...found.values()];
  }

  #derivedFrom(source: Source & { readonly isWhole: boolean }): Source[] {
    const isOf = (each: Source): boolean =>
      each.id === source.id && (source.isWhole || each.revision === source.revision);
    return [...this.#sources].flatMap(([name, sources]) => {
      const [id = '', revision] = name.split(' ');
      const space = this.#entries.get(id)?.space;
      if (space === undefined || !sources.some(isOf)) return [];
      return [{ space, id, revision: Number(revision) }];
    });
  }

  #isThere({ space, id, revision }: Source, now: number): boolean {
    const entry = this.#entries.get(id);
    if (entry?.space !== space) return false;
    try {
      recordAt(entry, revision, { now, retention: this.#retention.in(space) });
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  #lossOf({ space, id, revision }: Source): LostSource['reason'] | undefined {
    if (this.#redacted.has(`${space} ${id} ${revision}`)) return 'redacted';
    return this.#entries.get(id)?.record.payload === null ? 'deleted' : undefined;
  }

  #may(holder: Holder, right: 'memory_read' | 'memory_write', space: string, now: number) {
    const scope = scopeOfSpace(space);
    try {
      return spaceOf(this.#credentials.authorize(holder, right, scope, now), scope) === space;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }
}

/** The scope of a space. */
export function scopeOfSpace(space: string): Scope {
  const [, project_id, mission_id, agent_id, visibility] = JSON.parse(space) as [
    string,
    string,
    string | null,
    string,
    Scope['visibility'],
  ];
  return { project_id, mission_id, agent_id, visibility };
}
