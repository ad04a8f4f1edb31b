/** Branches of memory, from the contract alone (docs/contract/branches.md). */
import type { Scope } from '@agentkeep/core';
import type { CredentialModel, Holder } from './credential-model.js';
import { spaceOf } from './memory-command.js';
import type { MemoryModel } from './memory-model.js';
import { Refusal } from './outcome.js';
import type { ModelState } from './state-model.js';

const OF_SCOPE_MAX = 32;

/** A branch, as its maker named it. */
interface ModelBranch {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly subjectId: string;
  readonly scopes: readonly Scope[];
  /** How many changes of all there were before. */
  readonly changes: number;
  endsAt: number;
}

/** A new branch. */
export type NewModelBranch = Pick<ModelBranch, 'id' | 'name' | 'scopes' | 'endsAt'>;

/** The branches of all tenants. */
export class BranchModel {
  readonly #credentials: CredentialModel;
  readonly #memory: MemoryModel;
  readonly #all: ModelBranch[] = [];

  constructor(credentials: CredentialModel, memory: MemoryModel) {
    this.#credentials = credentials;
    this.#memory = memory;
  }

  /** Makes a branch over the current state. */
  create(holder: Holder, made: NewModelBranch, now: number): void {
    for (const scope of made.scopes) {
      this.#credentials.authorize(holder, 'memory_write', scope, now);
    }
    const { tenant_id: tenantId, spec } = this.#credentials.authenticate(holder, now);
    const live = this.#live(now).filter((each) => each.tenantId === tenantId);
    const isTaken = ({ name, subjectId }: ModelBranch) =>
      name === made.name && subjectId === spec.subject_id;
    if (live.some(isTaken)) throw new Refusal('revision_conflict');
    const isFull = made.scopes.some(
      (scope) => live.filter((each) => isOver(each, scope)).length >= OF_SCOPE_MAX,
    );
    if (isFull) throw new Refusal('branch_limit');
    const changes = this.#memory.changes.count;
    this.#all.push({ ...made, tenantId, subjectId: spec.subject_id, changes });
  }

  /** Returns the ids and names that a caller is shown. */
  list(holder: Holder, now: number): { id: string; name: string }[] {
    this.#prove(holder, 'memory_read', now);
    const shown = this.#live(now).filter((each) => this.#isShown(each, holder, now));
    return shown.map(({ id, name }) => ({ id, name }));
  }

  /** Returns a branch that a caller is shown. */
  get(holder: Holder, id: string, now: number, right: 'memory_read' | 'memory_write') {
    this.#prove(holder, right, now);
    const found = this.#live(now).find((each) => each.id === id);
    if (found !== undefined && this.#isShown(found, holder, now)) return found;
    throw new Refusal('branch_not_found');
  }

  /** Ends a branch. */
  drop(holder: Holder, id: string, now: number): void {
    this.get(holder, id, now, 'memory_write').endsAt = 0;
  }

  /** Returns what a branch shows of a scope; what was taken away since isn't there. */
  stateIn(holder: Holder, scope: Scope, id: string, now: number): ModelState {
    const credential = this.#credentials.authorize(holder, 'memory_read', scope, now);
    const found = this.#live(now).find((each) => each.id === id);
    if (found?.tenantId !== credential.tenant_id || !isOver(found, scope)) {
      throw new Refusal('branch_not_found');
    }
    const space = spaceOf(credential, scope);
    const retention = { ...this.#memory.retention.in(space), revisions_max: 1_000_000 };
    const state = this.#memory.states.stateOf(space, found.changes, { now, retention });
    const entries = [...state.entries].filter(([recordId]) => !state.gone.has(recordId));
    return { entries: new Map(entries), gone: new Set() };
  }

  #prove(holder: Holder, right: 'memory_read' | 'memory_write', now: number): void {
    const { spec } = this.#credentials.authenticate(holder, now);
    if (!spec.capabilities.includes(right)) throw new Refusal('forbidden');
  }

  #live(now: number): ModelBranch[] {
    return this.#all.filter(({ endsAt }) => now < endsAt);
  }

  #isShown({ tenantId, scopes }: ModelBranch, holder: Holder, now: number): boolean {
    const { tenant_id, spec } = this.#credentials.authenticate(holder, now);
    const right = spec.capabilities.includes('memory_read') ? 'memory_read' : 'memory_write';
    const mayUse = (scope: Scope): boolean => {
      try {
        this.#credentials.authorize(holder, right, scope, now);
        return true;
      } catch {
        return false;
      }
    };
    return tenantId === tenant_id && scopes.every(mayUse);
  }
}

function isOver({ scopes }: ModelBranch, scope: Scope): boolean {
  const wanted = JSON.stringify(scope);
  return scopes.some((each) => JSON.stringify(each) === wanted);
}
