/**
 * Answers that wait in this process because their clients do not read them. Their bytes are bounded
 * for each principal, each tenant and in all, for every operation.
 */
import { UNREAD_BYTES_KEPT_MAX, UNREAD_BYTES_MAX } from '../../contract/limits.js';
import type { Party } from './party.js';

/** Bounds of bytes. */
type ByteBounds = Readonly<Record<'principal' | 'tenant' | 'all', number>>;

/** The bounds of unread answers. */
export interface UnreadBounds {
  /** At this bound, heavy calls are refused. */
  readonly refuse: ByteBounds;
  /** Beyond this bound, connections are closed. */
  readonly keep: ByteBounds;
}

/** The bounds of a keep (docs/contract/load.md#loa-3). */
const defaultBounds: UnreadBounds = { refuse: UNREAD_BYTES_MAX, keep: UNREAD_BYTES_KEPT_MAX };

/** An answer that is being sent. */
export interface UnreadAnswer {
  /** Notes how many of its bytes wait for the client now. */
  holds(bytes: number): void;
}

interface Held {
  readonly party: Party;
  readonly cut: () => void;
  bytes: number;
}

/** The answers of a principal, the least recently changed first. */
interface PrincipalAnswers {
  bytes: number;
  readonly answers: Set<Held>;
}

interface TenantAnswers {
  bytes: number;
  readonly principals: Map<string, PrincipalAnswers>;
}

/**
 * Counts unread answers. Beyond a bound, it cuts the oldest waiting answer of the principal with
 * the most unread bytes, in the tenant with the most. So no tenant loses an answer because of
 * another tenant.
 */
export class UnreadAnswers {
  readonly #bounds: UnreadBounds;
  readonly #tenants = new Map<string, TenantAnswers>();
  #bytes = 0;

  constructor(bounds: UnreadBounds = defaultBounds) {
    this.#bounds = bounds;
  }

  /** Bytes that wait for all clients. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a party has few enough unread bytes for a heavy call to begin. */
  hasRoom({ tenant, principal }: Party): boolean {
    const { refuse } = this.#bounds;
    const ofTenant = this.#tenants.get(tenant);
    const ofPrincipal = ofTenant?.principals.get(principal);
    return (
      (ofPrincipal?.bytes ?? 0) < refuse.principal &&
      (ofTenant?.bytes ?? 0) < refuse.tenant &&
      this.#bytes < refuse.all
    );
  }

  /** Returns an answer to a party that holds nothing yet. `cut` closes its connection. */
  open(party: Party, cut: () => void): UnreadAnswer {
    const held: Held = { party, cut, bytes: 0 };
    return {
      holds: (bytes) => {
        const grows = bytes > held.bytes;
        this.#count(held, bytes);
        if (grows) this.#makeRoom(held);
      },
    };
  }

  #count(held: Held, bytes: number): void {
    const { tenant, principal } = held.party;
    const found = this.#tenants.get(tenant);
    const ofTenant = found ?? { bytes: 0, principals: new Map<string, PrincipalAnswers>() };
    const { principals } = ofTenant;
    const ofPrincipal = principals.get(principal) ?? { bytes: 0, answers: new Set<Held>() };
    const change = bytes - held.bytes;
    held.bytes = bytes;
    for (const group of [ofPrincipal, ofTenant]) group.bytes += change;
    this.#bytes += change;
    // The set is in the order of changes.
    ofPrincipal.answers.delete(held);
    if (bytes > 0) ofPrincipal.answers.add(held);
    if (ofPrincipal.bytes > 0) principals.set(principal, ofPrincipal);
    else principals.delete(principal);
    if (ofTenant.bytes > 0) this.#tenants.set(tenant, ofTenant);
    else this.#tenants.delete(tenant);
  }

  /**
   * Cuts others until the bounds hold or only the newest answer is left: one answer is always sent.
   */
  #makeRoom(newest: Held): void {
    for (;;) {
      const [oldest] = this.#beyondBound(newest.party)?.answers ?? [];
      if (oldest === undefined || oldest === newest) return;
      this.#count(oldest, 0);
      oldest.cut();
    }
  }

  /** Returns the principal that has to give up an answer, if any. */
  #beyondBound({ tenant, principal }: Party): PrincipalAnswers | undefined {
    const { keep } = this.#bounds;
    const ofTenant = this.#tenants.get(tenant);
    const ofPrincipal = ofTenant?.principals.get(principal);
    if (ofPrincipal !== undefined && ofPrincipal.bytes > keep.principal) return ofPrincipal;
    if (ofTenant !== undefined && ofTenant.bytes > keep.tenant) return most(ofTenant.principals);
    if (this.#bytes <= keep.all) return undefined;
    return most(most(this.#tenants)?.principals ?? new Map<string, PrincipalAnswers>());
  }
}

function most<T extends { readonly bytes: number }>(groups: ReadonlyMap<string, T>): T | undefined {
  let found: T | undefined;
  for (const group of groups.values()) {
    if (found === undefined || group.bytes > found.bytes) found = group;
  }
  return found;
}
