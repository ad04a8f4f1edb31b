/** Consumers of changes, from the contract alone (docs/contract/consumers.md). */
import type { Scope } from '@agentkeep/core';
import type { ChangeModel, ChangeRead } from './change-model.js';
import { Refusal } from './outcome.js';

const OF_SUBJECT_MAX = 32;

/** A consumer. */
interface ModelConsumer {
  readonly name: string;
  readonly scope: Scope | null;
  /** How many changes of all it has passed. */
  passed: number;
  readonly created_at_millis: number;
  committed_at_millis: number | null;
  lease: { readonly holder: string; readonly until_millis: number } | null;
}

/** A claim. */
export interface ModelClaim {
  readonly name: string;
  readonly holder: string;
  readonly leaseMs: number;
  readonly scope: Scope | null;
}

/** The consumers of all subjects. */
export class ConsumerModel {
  readonly #changes: ChangeModel;
  readonly #all = new Map<string, Map<string, ModelConsumer>>();

  constructor(changes: ChangeModel) {
    this.#changes = changes;
  }

  /** Makes a consumer, or takes it over. */
  claim(read: ChangeRead, { name, holder, leaseMs, scope }: ModelClaim) {
    const own = this.#of(read);
    const found = own.get(name);
    const { lease = null } = found ?? {};
    if (lease !== null && lease.holder !== holder && read.now < lease.until_millis) {
      throw new Refusal('consumer_held');
    }
    if (found !== undefined && JSON.stringify(found.scope) !== JSON.stringify(scope)) {
      throw new Refusal('idempotency_conflict');
    }
    if (found === undefined && own.size >= OF_SUBJECT_MAX) throw new Refusal('consumer_limit');
    const fresh = { name, scope, passed: 0, created_at_millis: read.now };
    const made = found ?? { ...fresh, committed_at_millis: null, lease: null };
    made.lease = { holder, until_millis: read.now + leaseMs };
    own.set(name, made);
    return shown(made);
  }

  /** What is left for the holder of a consumer. */
  read(read: ChangeRead, name: string, holder: string) {
    const found = this.#held(read, name, holder);
    const scope = found.scope ?? undefined;
    return this.#changes.visible({ ...read, scope }, found.passed);
  }

  /** Passes all changes so far. */
  commit(read: ChangeRead, { name, holder, leaseMs }: Omit<ModelClaim, 'scope'>) {
    const found = this.#held(read, name, holder);
    const isFurther = found.passed < this.#changes.count;
    found.passed = this.#changes.count;
    if (isFurther || found.committed_at_millis === null) found.committed_at_millis = read.now;
    found.lease = { holder, until_millis: read.now + leaseMs };
    return shown(found);
  }

  /** Ends the lease of a holder. */
  release(read: ChangeRead, name: string, holder: string) {
    const found = this.#find(read, name);
    if (found.lease?.holder === holder) found.lease = null;
    return shown(found);
  }

  /** The consumers of a subject. */
  list(read: ChangeRead) {
    const names = [...this.#of(read).keys()].toSorted();
    return names.map((name) => shown(this.#find(read, name)));
  }

  /** Deletes a consumer. */
  delete(read: ChangeRead, name: string): void {
    this.#find(read, name);
    this.#of(read).delete(name);
  }

  #of(read: ChangeRead): Map<string, ModelConsumer> {
    const { tenant_id, spec } = this.#changes.prove(read);
    const key = JSON.stringify([tenant_id, spec.subject_id]);
    const own = this.#all.get(key) ?? new Map<string, ModelConsumer>();
    this.#all.set(key, own);
    return own;
  }

  #find(read: ChangeRead, name: string): ModelConsumer {
    const found = this.#of(read).get(name);
    if (found === undefined) throw new Refusal('target_not_found');
    return found;
  }

  #held(read: ChangeRead, name: string, holder: string): ModelConsumer {
    const found = this.#find(read, name);
    if (found.lease?.holder !== holder) throw new Refusal('consumer_not_held');
    return found;
  }
}

function shown({ passed: _, ...consumer }: ModelConsumer) {
  return { ...consumer };
}
