/**
 * What a branch holds, from the contract alone (docs/contract/branches.md#bra-6): a full copy of
 * its scopes, on which its commands run.
 */
import type { MemoryRecord, Scope } from '@agentkeep/core';
import type { OutputOf } from '@agentkeep/core/clients';
import type { CredentialModel, Holder } from './credential-model.js';
import { scopeOfSpace } from './lineage-model.js';
import type { Command } from './memory-command.js';
import {
  type At,
  type Entry,
  isContentKept,
  type ModelRecord,
  type ModelRetention,
  redactedEntry,
} from './memory-history.js';
import { MemoryModel } from './memory-model.js';
import { authorOf, nextEntry } from './next-entry.js';
import { UNSTATED } from './unstated.js';

/** A record that differs, as answers show it. */
type Difference = OutputOf<'compareMemoryBranch'>['page']['items'][number];

/** A redaction of a branch that a merge would carry out. */
interface Redacting {
  /** The number of the revision outside, and in the branch. */
  readonly outside: number;
  readonly ofBranch: number;
  readonly author: MemoryRecord['author'];
  /** The revision outside. */
  readonly record: ModelRecord;
}

/** Which revisions of a record of a branch are outside. */
interface OutsideNumbers {
  /** What stood where the branch begins. */
  readonly base: number;
  /** Those that were merged. */
  readonly merges: readonly { readonly ofBranch: number; readonly outside: number }[];
}

/** A record that differs, and how it stands in the branch. */
export interface Differing {
  readonly entry: Entry;
  readonly base: number;
  readonly current: Entry | undefined;
  readonly conflict: Difference['conflict'];
  /** The old revision that was redacted; absent for a record. */
  readonly redacting?: Redacting;
}

/** What a branch is over. */
interface Covered {
  readonly scopes: readonly Scope[];
  readonly tenantId: string;
  /** Whose its private scopes are. */
  readonly subjectId: string;
}

/** The records of one branch. */
export class BranchCopy {
  readonly memory: MemoryModel;
  readonly #credentials: CredentialModel;
  readonly #outside: MemoryModel;
  readonly #over: Covered;
  /** How many changes of all there were before. */
  readonly #changes: number;
  /** The records that commands of the branch have changed. */
  readonly #own = new Set<string>();
  /** What revisions of records became outside, the last merge last. */
  readonly #merges = new Map<string, { readonly ofBranch: number; readonly outside: number }[]>();
  /** How often it was written to. */
  writes = 0;

  constructor(credentials: CredentialModel, outside: MemoryModel, over: Covered) {
    this.memory = new MemoryModel(credentials, outside);
    this.#credentials = credentials;
    this.#outside = outside;
    this.#over = over;
    this.#changes = outside.changes.count;
  }

  /** The most records and receipts that a store has of it. */
  get counts(): { readonly memory_records: number; readonly receipts: number } {
    return { memory_records: this.#own.size, receipts: this.memory.counts.receipts };
  }

  /** Whether the records of a space are in the branch. */
  isOver(space: string): boolean {
    const { scopes, tenantId, subjectId } = this.#over;
    const ofTenant = JSON.parse(space) as readonly (string | null)[];
    const owner = ofTenant.at(-1);
    const isMine = ofTenant[0] === tenantId && (owner === null || owner === subjectId);
    return isMine && scopes.some((scope) => isOf(scope, space));
  }

  /** Follows what was taken away outside: that is gone here too, unless it was changed here. */
  follow(now: number): void {
    const spaces = new Set(Array.from(this.#outside.entries.values(), ({ space }) => space));
    for (const space of spaces) {
      if (!this.isOver(space)) continue;
      const retention = heldFor(this.#outside.retention.in(space));
      const at = { now, retention };
      const { entries, gone } = this.#outside.states.stateOf(space, this.#changes, at);
      for (const [id, entry] of entries) {
        if (!this.#own.has(id)) this.memory.place(id, gone.has(id) ? undefined : entry);
      }
    }
  }

  /** Runs a command, whose scope is that outside. */
  execute(holder: Holder, command: Command, now: number, madeId: string | undefined) {
    const before = this.memory.changes.count;
    const receipt = this.memory.execute(holder, command, now, madeId);
    if (this.memory.changes.count > before) {
      this.#own.add(receipt.record_id);
      this.writes += 1;
      this.#outside.passOver(holder, now);
    }
    return receipt;
  }

  /** Returns the differences in some spaces: of each the records, then the redactions. */
  differences(spaces: readonly string[], now: number): Differing[] {
    const own = [...this.#own].sort();
    return spaces.flatMap((space) => [
      ...own.flatMap((id) => this.#differenceOf(space, this.memory.entries.get(id)) ?? []),
      ...own.flatMap((id) => this.#redactionsOf(space, this.memory.entries.get(id), now)),
    ]);
  }

  /** Merges differences, deletions first and redactions last. */
  merge(holder: Holder, all: readonly Differing[], key: string, now: number): void {
    this.#mergeRecords(
      holder,
      all.filter(({ redacting }) => redacting === undefined),
      key,
      now,
    );
    for (const { entry, redacting } of all) {
      const { space, record } = entry;
      const { record_id } = record;
      const current = this.#outside.entries.get(record_id);
      const at = { now, retention: heldFor(this.#outside.retention.in(space)) };
      if (redacting === undefined || current === undefined || !isContentKept(current, at)) continue;
      const { author, outside: revision } = redacting;
      const redacted = redactedEntry(current, revision, { author, ...at });
      const operation = { type: 'redact', record_id, revision } as const;
      const outcome = { record_id, revision, action: 'redacted' } as const;
      this.#outside.adopt(holder, redacted, outcome, now);
      this.#outside.lineage.follow(operation, outcome, { space, sources: [] });
    }
  }

  #mergeRecords(holder: Holder, all: readonly Differing[], key: string, now: number): void {
    const isDeletion = ({ entry }: Differing) => entry.record.payload === null;
    const rest = all.filter((each) => !isDeletion(each));
    for (const { entry, base } of [...all.filter(isDeletion), ...rest]) {
      const { record_id, revision, author, payload, name } = entry.record;
      const { space } = entry;
      const retention = this.#outside.retention.in(space);
      const made = { space, author, now, madeId: record_id, key, retention, isHeld: true };
      const next = nextEntry(this.#outside.entries.get(record_id), payload, made, name);
      const merged = {
        ...next,
        record: { ...next.record, merged_by: authorOf(this.#credentials.heldBy(holder)) },
      };
      const action = payload === null ? 'deleted' : base === 0 ? 'created' : 'updated';
      this.#outside.adopt(holder, merged, { record_id, revision: base + 1, action }, now);
      const merges = this.#merges.get(record_id) ?? [];
      this.#merges.set(record_id, [...merges, { ofBranch: revision, outside: base + 1 }]);
    }
  }

  #differenceOf(space: string, entry: Entry | undefined): Differing | undefined {
    if (entry?.space !== space) return undefined;
    const { record_id: id, revision, payload, name } = entry.record;
    const merged = this.#merges.get(id)?.at(-1);
    const base = merged?.outside ?? this.#baseOf(space, id);
    if (revision === (merged?.ofBranch ?? base)) return undefined;
    const current = this.#outside.entries.get(id);
    const isChanged = (current?.record.revision ?? 0) !== base;
    const wasThere = base > 0 && (isChanged || current?.record.payload !== null);
    if (payload === null && !wasThere) return undefined;
    const isTaken = payload !== null && this.#isTaken(space, id, name);
    return {
      entry,
      base,
      current,
      conflict: isChanged ? 'changed' : isTaken ? 'name_taken' : null,
    };
  }

  #redactionsOf(space: string, entry: Entry | undefined, now: number): Differing[] {
    if (entry?.space !== space) return [];
    const { record_id: id } = entry.record;
    const current = this.#outside.entries.get(id);
    const numbers = { base: this.#baseOf(space, id), merges: this.#merges.get(id) ?? [] };
    const at = { now, retention: this.#outside.retention.in(space) };
    return redactionsOf(entry, current, numbers, at).map((redacting) => {
      return { entry, base: redacting.outside, current, conflict: null, redacting };
    });
  }

  #baseOf(space: string, id: string): number {
    return this.#outside.states.revisionAt(space, id, this.#changes);
  }

  /** Whether another record has a name outside that the branch doesn't delete. */
  #isTaken(space: string, id: string, name: string | undefined): boolean {
    if (name === undefined) return false;
    const holder = [...this.#outside.entries.values()].find(
      (each) => each.space === space && each.record.name === name,
    );
    const held = holder?.record.record_id;
    if (held === undefined || held === id) return false;
    return !this.#own.has(held) || this.memory.entries.get(held)?.record.payload !== null;
  }
}

/** Returns the revisions of a difference, as answers show them. */
export function revisionsOf({ entry, base, current, redacting }: Differing) {
  return {
    scope: scopeOfSpace(entry.space),
    record_id: entry.record.record_id,
    base_revision: base === 0 ? null : base,
    branch_revision: redacting?.ofBranch ?? entry.record.revision,
    current_revision: current?.record.revision ?? null,
  };
}

/** Returns a difference as answers show it; whether the base is still kept is open. */
export function shownDifference(each: Differing, { lineage }: Pick<MemoryModel, 'lineage'>) {
  const shown = (entry: Entry | undefined) => {
    const { payload } = entry?.record ?? {};
    if (entry === undefined || !payload) return null;
    return lineage.shown({ ...entry.record, payload });
  };
  const { base, current, entry, conflict, redacting } = each;
  const isCurrent = current?.record.revision === base;
  return {
    ...revisionsOf(each),
    conflict,
    redacted_revision: redacting?.outside ?? null,
    base: base === 0 ? null : isCurrent ? shown(current) : UNSTATED,
    branch: redacting === undefined ? shown(entry) : null,
    current: shown(current),
  };
}

/** Returns a retention with which branches keep all revisions. */
function heldFor(retention: ModelRetention): ModelRetention {
  return { ...retention, revisions_max: 1_000_000, revision_days: 1_000_000 };
}

function isOf(scope: Scope, space: string): boolean {
  const { project_id, mission_id, agent_id, visibility } = scope;
  return (
    JSON.stringify(scopeOfSpace(space)) ===
    JSON.stringify({ project_id, mission_id, agent_id, visibility })
  );
}

/** Returns the redactions of a record that differ, by revision in the branch. */
function redactionsOf(
  entry: Entry,
  current: Entry | undefined,
  { base, merges }: OutsideNumbers,
  at: At,
): Redacting[] {
  if (current === undefined || !isContentKept(current, at)) return [];
  const all = [current.record, ...current.past.map(({ record }) => record)];
  return entry.past.flatMap(({ record: { revision: ofBranch }, redacted }) => {
    const merged = merges.find((each) => each.ofBranch === ofBranch)?.outside;
    const outside = ofBranch <= base ? ofBranch : merged;
    const record = all.find((each) => each.revision === outside);
    if (outside === undefined || redacted === null || !record?.payload) return [];
    return [{ outside, ofBranch, author: redacted.author, record }];
  });
}
