/** Branches of memory, from the contract alone (docs/contract/branches.md). */
import type { Capability, Receipt, Scope } from '@agentkeep/core';
import { BranchCopy, revisionsOf } from './branch-copy.js';
import type { CredentialModel, Holder } from './credential-model.js';
import { type Command, isText, isWellFormed, spaceOf, validScope } from './memory-command.js';
import type { MemoryModel } from './memory-model.js';
import { Refusal } from './outcome.js';

const OF_SCOPE_MAX = 32;
const OF_SUBJECT_MAX = 64;
const READING: readonly Capability[] = ['memory_read'];
/** Rights of which one is enough to write in branches of one's own. */
export const WRITING: readonly Capability[] = ['memory_write', 'memory_propose'];
const MERGING: readonly Capability[] = ['memory_write', 'memory_review'];

/** A branch, as its maker named it. */
interface ModelBranch {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly subjectId: string;
  readonly scopes: readonly Scope[];
  readonly copy: BranchCopy;
  readonly heldUntil: number;
  endsAt: number;
}

/** A new branch. */
export type NewModelBranch = Pick<ModelBranch, 'id' | 'name' | 'scopes' | 'endsAt'>;

/** A merge of all that differs. */
export interface AskedMerge {
  readonly id: string;
  readonly key: string;
  /** How often the branch had been written to when its digest was shown. */
  readonly writes: number;
  readonly isDry: boolean;
}

/** The answer to a merge. */
interface ModelMerge {
  readonly state: 'merged' | 'conflicts' | 'checked';
  readonly merged: number;
  readonly left: number;
  readonly conflicts: readonly object[];
}

/** The branches of all tenants. */
export class BranchModel {
  readonly #credentials: CredentialModel;
  readonly #memory: MemoryModel;
  readonly #all: ModelBranch[] = [];

  constructor(credentials: CredentialModel, memory: MemoryModel) {
    this.#credentials = credentials;
    this.#memory = memory;
    // Held until the end that was stated first, also after it was dropped.
    memory.isHeld = (space, now) =>
      this.#all.some(({ copy, heldUntil }) => now < heldUntil && copy.isOver(space));
  }

  /** When branches end. */
  get ends(): number[] {
    return this.#all.map(({ heldUntil }) => heldUntil);
  }

  /** The numbers of records and receipts that branches have had at most. */
  get counts(): { readonly memory_records: number; readonly receipts: number } {
    const all = this.#all.map(({ copy }) => copy.counts);
    return {
      memory_records: all.reduce((sum, each) => sum + each.memory_records, 0),
      receipts: all.reduce((sum, each) => sum + each.receipts, 0),
    };
  }

  /** Makes a branch over the current state. */
  create(holder: Holder, made: NewModelBranch, now: number): void {
    const { tenant_id: tenantId, spec } = this.#credentials.authenticate(holder, now);
    const right = this.#writing(holder, now);
    for (const scope of made.scopes) this.#credentials.authorize(holder, right, scope, now);
    const live = this.#live(now).filter((each) => each.tenantId === tenantId);
    const isTaken = ({ name, subjectId }: ModelBranch) =>
      name === made.name && subjectId === spec.subject_id;
    if (live.some(isTaken)) throw new Refusal('revision_conflict');
    const { subject_id: subjectId } = spec;
    const over = (scope: Scope) =>
      live.filter(
        (each) => isOver(each, scope) && (isShared(scope) || each.subjectId === subjectId),
      );
    const isFull = made.scopes.some((scope) => over(scope).length >= OF_SCOPE_MAX);
    const own = live.filter((each) => each.subjectId === subjectId);
    if (isFull || own.length >= OF_SUBJECT_MAX) throw new Refusal('branch_limit');
    const covered = { scopes: made.scopes, tenantId, subjectId };
    const copy = new BranchCopy(this.#credentials, this.#memory, covered);
    const heldUntil = made.endsAt;
    this.#all.push({ ...made, tenantId, subjectId, copy, heldUntil });
  }

  /** Returns the ids and names that a caller is shown. */
  list(holder: Holder, now: number): { id: string; name: string }[] {
    this.#prove(holder, READING, now);
    const shown = this.#live(now).filter((each) => this.#isShown(each, holder, now));
    return shown.map(({ id, name }) => ({ id, name }));
  }

  /** Returns a branch that a caller is shown. */
  get(holder: Holder, id: string, now: number, rights = READING) {
    this.#prove(holder, rights, now);
    const found = this.#live(now).find((each) => each.id === id);
    if (found !== undefined && this.#isShown(found, holder, now)) return found;
    throw new Refusal('branch_not_found');
  }

  /** Ends a branch. */
  drop(holder: Holder, id: string, now: number): void {
    const found = this.get(holder, id, now, WRITING);
    const { spec } = this.#credentials.authenticate(holder, now);
    const isOwn = found.subjectId === spec.subject_id;
    if (!isOwn && !spec.capabilities.includes('memory_write')) throw new Refusal('forbidden');
    found.endsAt = 0;
  }

  /** Returns the records of a branch for a reader of one of its scopes. */
  in(holder: Holder, scope: Scope, id: string, now: number): MemoryModel {
    this.#credentials.authorize(holder, 'memory_read', scope, now);
    return this.#over(holder, scope, id, now).copy.memory;
  }

  /** Runs a command in a branch. */
  execute(
    holder: Holder,
    { id, command }: { readonly id: string; readonly command: Command },
    now: number,
    madeId: string | undefined,
  ): Receipt {
    this.#credentials.authenticate(holder, now);
    if (!isWellFormed(command.operation)) throw new Refusal('invalid_request');
    const scope = validScope(command.scope);
    const right = this.#writing(holder, now);
    this.#credentials.authorize(holder, right, scope, now);
    if (!isText(command.idempotency_key)) throw new Refusal('invalid_request');
    const { copy, subjectId } = this.#over(holder, scope, id, now);
    const isOwn = subjectId === this.#credentials.heldBy(holder).spec.subject_id;
    if (!isOwn && right !== 'memory_write') throw new Refusal('forbidden');
    return copy.execute(holder, command, now, madeId);
  }

  /** Returns the differences that a caller is shown, in order. */
  differences(holder: Holder, id: string, now: number, rights = READING) {
    const { copy, scopes } = this.get(holder, id, now, rights);
    const credential = this.#credentials.heldBy(holder);
    copy.follow(now);
    return copy.differences(
      scopes.map((scope) => spaceOf(credential, scope)),
      now,
    );
  }

  /** Returns the records of a branch, without a proof. */
  memoryOf(id: string, now: number): MemoryModel | undefined {
    const found = this.#all.find((each) => each.id === id);
    found?.copy.follow(now);
    return found?.copy.memory;
  }

  /** How often a branch was written to. */
  writesIn(id: string): number {
    return this.#all.find((each) => each.id === id)?.copy.writes ?? 0;
  }

  /** Merges a branch that had so many writes when it was compared. */
  merge(holder: Holder, asked: AskedMerge, now: number): ModelMerge {
    const { id, key, writes, isDry } = asked;
    const { copy } = this.get(holder, id, now, MERGING);
    // A reviewer merges proposals only.
    this.#prove(holder, ['memory_write'], now);
    const all = this.differences(holder, id, now, MERGING);
    const conflicts = all.filter(({ conflict }) => conflict !== null);
    if (conflicts.length > 0) {
      const shown = conflicts.map((each) => ({ ...revisionsOf(each), reason: each.conflict }));
      return { state: 'conflicts', merged: 0, left: all.length, conflicts: shown };
    }
    if (writes !== copy.writes) throw new Refusal('revision_conflict');
    if (isDry) return { state: 'checked', merged: 0, left: all.length, conflicts: [] };
    copy.merge(holder, all, key, now);
    return { state: 'merged', merged: all.length, left: 0, conflicts: [] };
  }

  /** The right that a caller writes in branches with. */
  #writing(holder: Holder, now: number): Capability {
    const { spec } = this.#credentials.authenticate(holder, now);
    return WRITING.find((each) => spec.capabilities.includes(each)) ?? 'memory_write';
  }

  #over(holder: Holder, scope: Scope, id: string, now: number): ModelBranch {
    const { tenant_id: tenantId, spec } = this.#credentials.heldBy(holder);
    const found = this.#live(now).find((each) => each.id === id);
    const isThere = found?.tenantId === tenantId && isOver(found, scope);
    if (!isThere || !isFor(found, spec.subject_id)) {
      throw new Refusal('branch_not_found');
    }
    found.copy.follow(now);
    return found;
  }

  #prove(holder: Holder, rights: readonly Capability[], now: number): void {
    const { spec } = this.#credentials.authenticate(holder, now);
    if (!rights.some((each) => spec.capabilities.includes(each))) throw new Refusal('forbidden');
  }

  #live(now: number): ModelBranch[] {
    return this.#all.filter(({ endsAt }) => now < endsAt);
  }

  #isShown(branch: ModelBranch, holder: Holder, now: number): boolean {
    const { tenantId, scopes } = branch;
    const { tenant_id, spec } = this.#credentials.authenticate(holder, now);
    const [right = 'memory_read'] = spec.capabilities;
    const mayUse = (scope: Scope): boolean => {
      try {
        this.#credentials.authorize(holder, right, scope, now);
        return true;
      } catch {
        return false;
      }
    };
    return tenantId === tenant_id && scopes.every(mayUse) && isFor(branch, spec.subject_id);
  }
}

const isShared = ({ visibility }: Scope): boolean => visibility === 'shared';

/** A branch over a private scope is its subject's. */
function isFor({ scopes, subjectId }: ModelBranch, subject: string): boolean {
  return scopes.every(isShared) || subjectId === subject;
}

function isOver({ scopes }: ModelBranch, scope: Scope): boolean {
  const wanted = JSON.stringify(scope);
  return scopes.some((each) => JSON.stringify(each) === wanted);
}
