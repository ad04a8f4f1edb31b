/** The changes of memory in plain objects, from the contract alone (docs/contract/changes.md). */
import type { Credential, Receipt, Scope } from '@agentkeep/core';
import type { CredentialModel, Holder } from './credential-model.js';
import { Refusal } from './outcome.js';

/** A change as a reader sees it, without its cursor. */
export interface SeenChange extends Pick<
  Receipt,
  'record_id' | 'revision' | 'action' | 'committed_at_millis'
> {
  readonly scope: Scope;
}

interface LoggedChange extends SeenChange {
  readonly tenantId: string;
  readonly owner: string | null;
}

/** A change in a branch, which only shows to readers that name the branch. */
interface HiddenChange {
  readonly tenantId: string;
  readonly committed_at_millis: number;
}

/** A read of changes. */
export interface ChangeRead {
  readonly holder: Holder;
  /** The only scope; absent for all that the holder may read. */
  readonly scope: Scope | undefined;
  readonly now: number;
}

/** All changes of all tenants. */
export class ChangeModel {
  readonly #credentials: CredentialModel;
  readonly #log: (LoggedChange | HiddenChange)[] = [];

  constructor(credentials: CredentialModel) {
    this.#credentials = credentials;
  }

  /** Number of changes so far. */
  get count(): number {
    return this.#log.length;
  }

  /** Adds a change that a credential made. */
  add({ tenant_id, spec }: Credential, change: SeenChange): void {
    const owner = change.scope.visibility === 'private' ? spec.subject_id : null;
    this.#log.push({ ...change, tenantId: tenant_id, owner });
  }

  /** Adds a change in a branch. */
  addHidden(change: HiddenChange): void {
    this.#log.push(change);
  }

  /** When the last of the first changes of a tenant was made, or else the first of all. */
  timeAt(tenantId: string, count: number): number | undefined {
    const isOwn = (change: HiddenChange): boolean => change.tenantId === tenantId;
    const last = this.#log.slice(0, count).findLast(isOwn) ?? this.#log.find(isOwn);
    return last?.committed_at_millis;
  }

  /** Proves a reader, or refuses it. */
  prove({ holder, scope, now }: ChangeRead): Credential {
    const shown = this.#credentials.authenticate(holder, now);
    if (scope !== undefined) return this.#credentials.authorize(holder, 'memory_read', scope, now);
    if (shown.spec.capabilities.includes('memory_read')) return shown;
    throw new Refusal('forbidden');
  }

  /** The changes after the first ones that the reader sees. */
  read(read: ChangeRead, first: number): SeenChange[] {
    this.prove(read);
    return this.visible(read, first);
  }

  /** As `read`, for a reader that need not be granted the scope. */
  visible(read: ChangeRead, first: number): SeenChange[] {
    const { tenant_id, spec } = this.prove({ ...read, scope: undefined });
    const wanted = read.scope && sameOrder(read.scope);
    return this.#log
      .slice(first)
      .filter((each) => 'scope' in each)
      .filter(({ tenantId, owner, scope }) => {
        const isOwn = tenantId === tenant_id && (owner === null || owner === spec.subject_id);
        const isWanted = wanted === undefined || sameOrder(scope) === wanted;
        return isOwn && isWanted && this.#covers(read, scope);
      })
      .map(({ tenantId: _tenant, owner: _owner, ...change }) => change);
  }

  #covers({ holder, now }: ChangeRead, scope: Scope): boolean {
    try {
      this.#credentials.authorize(holder, 'memory_read', scope, now);
      return true;
    } catch {
      return false;
    }
  }
}

function sameOrder({ project_id, mission_id, agent_id, visibility }: Scope): string {
  return JSON.stringify([project_id, mission_id, agent_id, visibility]);
}

/** Returns the change that a command made. */
export function changeOf(
  scope: Scope,
  { record_id, revision, action }: Pick<Receipt, 'record_id' | 'revision' | 'action'>,
  now: number,
): SeenChange {
  return { scope, record_id, revision, action, committed_at_millis: now };
}
