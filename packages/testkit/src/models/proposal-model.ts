/** Proposals of memory, from the contract alone (docs/contract/review.md). */
import type { Capability, Scope } from '@agentkeep/core';
import type { CredentialModel, Holder } from './credential-model.js';
import { Refusal } from './outcome.js';
import { UNSTATED } from './unstated.js';

/** How long a decision is kept. */
const KEPT_MS = 30 * 86_400_000;
const WRITING: readonly Capability[] = ['memory_propose', 'memory_write'];

/** A proposal of one new record. */
interface ModelProposal {
  readonly id: string;
  readonly tenantId: string;
  readonly scope: Scope;
  readonly author: { readonly credential_id: string; readonly subject_id: string };
  readonly key: string;
  readonly text: string;
  readonly proposedAt: number;
  readonly endsAt: number;
  /** Absent while it waits. */
  decision?: { readonly at: number; readonly subjectId: string; readonly reason: string };
  isWithdrawn: boolean;
}

/** What a call proposes. */
export interface NewModelProposal {
  readonly scope: Scope;
  readonly key: string;
  readonly text: string;
  readonly seconds: number;
  /** In the answer; `undefined` where the call was refused. */
  readonly id: string | undefined;
}

/** The feed of changes, in which proposals have places that readers pass over. */
interface Feed {
  passOver(holder: Holder, now: number): void;
}

/** The proposals of all tenants. */
export class ProposalModel {
  readonly #credentials: CredentialModel;
  readonly #feed: Feed;
  readonly #all: ModelProposal[] = [];

  constructor(credentials: CredentialModel, feed: Feed) {
    this.#credentials = credentials;
    this.#feed = feed;
  }

  /** How many records proposals hold; unknown while those of ended ones are being removed. */
  recordsAt(now: number): number | typeof UNSTATED {
    return this.#all.every((each) => isWaiting(each, now)) ? this.#all.length : UNSTATED;
  }

  /** How many receipts the proposals have. */
  get receipts(): number {
    return this.#all.length;
  }

  /** When proposals end that are not decided. */
  get ends(): number[] {
    return this.#all.map(({ endsAt }) => endsAt);
  }

  /** The proposals that wait. */
  waiting(now: number): readonly { readonly id: string }[] {
    return this.#all.filter((each) => isWaiting(each, now));
  }

  /** The subjects that proposed. */
  get authors(): string[] {
    return this.#all.map(({ author }) => author.subject_id);
  }

  /** The keys of all proposals, whatever became of them. */
  get keys(): string[] {
    return this.#all.map(({ key }) => key);
  }

  /** Proposes a record; returns the proposal of the key. */
  propose(holder: Holder, made: NewModelProposal, now: number): ModelProposal {
    const held = this.#prove(holder, WRITING, now);
    const right = WRITING.find((each) => held.spec.capabilities.includes(each)) ?? 'memory_write';
    this.#credentials.authorize(holder, right, made.scope, now);
    if (made.scope.visibility === 'private') throw new Refusal('invalid_request');
    const { tenant_id: tenantId, spec, id: credential_id } = held;
    const author = { credential_id, subject_id: spec.subject_id };
    const known = this.#all.find(
      (each) =>
        each.tenantId === tenantId &&
        each.author.subject_id === author.subject_id &&
        each.key === made.key &&
        isSame(each.scope, made.scope),
    );
    if (known !== undefined) {
      if (known.text !== made.text) throw new Refusal('idempotency_conflict');
      if (!isKept(known, now)) throw new Refusal('branch_closed');
      return known;
    }
    const { scope, key, text, seconds, id = '' } = made;
    const times = { proposedAt: now, endsAt: now + seconds * 1_000 };
    const proposal = { id, tenantId, scope, author, key, text, ...times, isWithdrawn: false };
    this.#all.push(proposal);
    this.#feed.passOver(holder, now);
    return proposal;
  }

  /** Returns the ids that a caller is shown, in their order. */
  list(holder: Holder, state: 'proposed' | 'rejected', now: number): string[] {
    this.#prove(holder, ['memory_read'], now);
    const isWanted = (each: ModelProposal): boolean =>
      state === 'proposed'
        ? isWaiting(each, now)
        : each.decision !== undefined && isKept(each, now);
    const at = (each: ModelProposal): number => each.decision?.at ?? each.proposedAt;
    return this.#all
      .filter((each) => isWanted(each) && this.#isShown(each, holder, now))
      .sort((one, other) => at(one) - at(other) || (one.id < other.id ? -1 : 1))
      .map(({ id }) => id);
  }

  /** Rejects a proposal; returns it. */
  reject(holder: Holder, id: string, reason: string, now: number): ModelProposal {
    const { spec, id: credentialId } = this.#prove(holder, ['memory_review'], now);
    const found = this.#all.find((each) => each.id === id);
    if (found === undefined || !this.#isShown(found, holder, now)) {
      throw new Refusal('branch_not_found');
    }
    if (found.decision !== undefined) return found;
    if (!isWaiting(found, now)) throw new Refusal('branch_not_found');
    const { subject_id, credential_id } = found.author;
    const isOwn = subject_id === spec.subject_id || credential_id === credentialId;
    if (isOwn) throw new Refusal('forbidden');
    found.decision = { at: now, subjectId: spec.subject_id, reason };
    this.#feed.passOver(holder, now);
    return found;
  }

  /** Withdraws all proposals of a subject; returns how many waited. */
  withdrawAll(holder: Holder, subjectId: string, now: number): number {
    const { tenant_id: tenantId } = this.#prove(holder, ['credential_admin'], now);
    const found = this.#all.filter(
      (each) =>
        each.tenantId === tenantId && each.author.subject_id === subjectId && isWaiting(each, now),
    );
    for (const each of found) each.isWithdrawn = true;
    return found.length;
  }

  /** Withdraws a proposal. */
  withdraw(holder: Holder, id: string, now: number): void {
    const { spec } = this.#prove(holder, WRITING, now);
    const found = this.#all.find((each) => each.id === id && isWaiting(each, now));
    if (found === undefined || !this.#isShown(found, holder, now)) {
      throw new Refusal('branch_not_found');
    }
    if (found.author.subject_id !== spec.subject_id) throw new Refusal('forbidden');
    found.isWithdrawn = true;
  }

  #prove(holder: Holder, rights: readonly Capability[], now: number) {
    const held = this.#credentials.authenticate(holder, now);
    if (rights.some((each) => held.spec.capabilities.includes(each))) return held;
    throw new Refusal('forbidden');
  }

  #isShown({ tenantId, scope }: ModelProposal, holder: Holder, now: number): boolean {
    const { tenant_id, spec } = this.#credentials.authenticate(holder, now);
    const [right = 'memory_read'] = spec.capabilities;
    try {
      this.#credentials.authorize(holder, right, scope, now);
      return tenantId === tenant_id;
    } catch {
      return false;
    }
  }
}

function isWaiting({ decision, isWithdrawn, endsAt }: ModelProposal, now: number): boolean {
  return decision === undefined && !isWithdrawn && now < endsAt;
}

/** Whether a proposal waits, or its decision is kept. */
function isKept(proposal: ModelProposal, now: number): boolean {
  const { decision } = proposal;
  return isWaiting(proposal, now) || (decision !== undefined && now < decision.at + KEPT_MS);
}

function isSame(one: Scope, other: Scope): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
