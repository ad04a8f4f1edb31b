/**
 * What the credentials of tenants and of the installation have in common in the store: states and
 * events, and the secret that a rotation replaced, while it still proves its credential
 * (docs/contract/credentials.md#crd-97).
 */
import { copyJson } from '../../../contract/schema/json-copy.js';
import { type PresentedSecret, sameVerifier } from '../../../kernel/access/secret.js';
import { noteChange } from '../../../kernel/counts/counts.js';
import type { ProofCheck } from '../../../kernel/services/proof-check.js';
import { type UsedEntry, useToStore } from '../../../kernel/services/use-log.js';
import { type HistoryPart, newestEvents } from '../../../storage/store/history.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { Subspace } from '../../../storage/store/subspace.js';

/** The current state of a credential. */
interface CredentialState {
  readonly id: string;
  readonly spec: object;
  readonly revision: number;
  readonly revokedAtMillis: number | null;
  readonly previous: PreviousSecret | null;
}

/** A credential as it is shown, without the members that only one kind has. */
interface ShownCredential<S extends CredentialState, E> {
  readonly id: string;
  readonly spec: S['spec'];
  readonly revision: number;
  readonly revoked_at_millis: number | null;
  readonly history: E[];
  readonly previous_secret?: { ends_at_millis: number; last_used_at_millis: number | null };
}

/** A page of credentials. */
export interface CredentialPage {
  /** The id that the page starts after; `undefined` for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
}

/**
 * States and events of one kind of credential. They are stored separately, so that authentication
 * reads a small value even if the history is long. `authority` is a tenant id or `INSTALLATION`.
 */
export class CredentialRows<S extends CredentialState, E extends { readonly revision: number }> {
  readonly #states: Subspace<readonly ['uuid'], S>;
  readonly #events: Subspace<readonly ['uuid', 'integer'], E>;

  constructor(
    states: Subspace<readonly ['uuid'], S>,
    events: Subspace<readonly ['uuid', 'integer'], E>,
  ) {
    this.#states = states;
    this.#events = events;
  }

  /** Returns the credential with this id, or `undefined`. */
  find(tx: ReadTx, authority: string, id: string): S | undefined {
    return this.#states.get(tx, authority, id);
  }

  /** Stores a new credential with its first event. */
  insert(tx: WriteTx, authority: string, credential: S, event: E): void {
    noteChange(tx, 'credentials', 1, this.update(tx, authority, credential, event));
  }

  /** Stores the state of a credential without an event. Returns its key. */
  put(tx: WriteTx, authority: string, credential: S): Uint8Array {
    return this.#states.put(tx, credential, authority, credential.id);
  }

  /** Stores the next state of a credential with its event. Returns the key of the state. */
  update(tx: WriteTx, authority: string, credential: S, event: E): Uint8Array {
    this.#events.put(tx, event, authority, credential.id, event.revision);
    return this.put(tx, authority, credential);
  }

  /**
   * Shows a credential with its newest events, or with another part of its history.
   *
   * @throws {AgentkeepError} `storage_inconsistency` when an event is missing.
   */
  show(tx: ReadTx, authority: string, credential: S, part?: HistoryPart): ShownCredential<S, E> {
    const { id, spec, revision, revokedAtMillis, previous } = credential;
    return {
      id,
      // A copy, because the state is memoized: changing it would change the credential's rights.
      spec: copyJson(spec),
      revision,
      revoked_at_millis: revokedAtMillis,
      ...(previous === null ? {} : { previous_secret: shownPrevious(previous) }),
      history: newestEvents(tx, this.#events, { authority, id, revision }, part),
    };
  }

  /** Returns a page of credentials in ascending order of id. */
  list(tx: ReadTx, authority: string, { after, limit }: CredentialPage): S[] {
    const start: [string] | undefined = after === undefined ? undefined : [after];
    return this.#states.values(tx, authority, { prefix: [], after: start, limit });
  }
}

function shownPrevious({ endsAtMillis, lastUsedMillis }: PreviousSecret): {
  ends_at_millis: number;
  last_used_at_millis: number | null;
} {
  return { ends_at_millis: endsAtMillis, last_used_at_millis: lastUsedMillis };
}

/** A replaced secret. */
export interface PreviousSecret {
  /** Keyed digest of the secret. */
  readonly verifier: string;
  /** When it stops to prove the credential, in Unix milliseconds. */
  readonly endsAtMillis: number;
  /** Up to a minute behind; null if it was not used since the rotation. */
  readonly lastUsedMillis: number | null;
}

/** The secrets of a stored credential. */
interface Secrets {
  readonly id: string;
  readonly verifier: string;
  readonly previous: PreviousSecret | null;
}

/** Returns the secrets after a rotation. The one before stays good until the overlap ends. */
export function rotatedSecrets(
  { verifier }: Pick<Secrets, 'verifier'>,
  made: { readonly verifier: string },
  { nowMs, overlapSeconds }: { readonly nowMs: number; readonly overlapSeconds: number },
): Pick<Secrets, 'verifier' | 'previous'> {
  const endsAtMillis = nowMs + overlapSeconds * 1_000;
  const previous = overlapSeconds === 0 ? null : { verifier, endsAtMillis, lastUsedMillis: null };
  return { verifier: made.verifier, previous };
}

/** Returns the verifier of a credential that a secret proves, the current one or the previous. */
export function provedVerifier(
  { verifier, previous }: Secrets,
  secret: PresentedSecret,
  nowMs: number,
): string | undefined {
  if (secret.proves(verifier)) return verifier;
  if (previous === null || nowMs >= previous.endsAtMillis) return undefined;
  return secret.proves(previous.verifier) ? previous.verifier : undefined;
}

/** Returns whether a verifier that proved a credential before still does. */
export function stillProves({ verifier, previous }: Secrets, held: string, nowMs: number): boolean {
  if (sameVerifier(verifier, held)) return true;
  return previous !== null && nowMs < previous.endsAtMillis && previous.verifier === held;
}

/** Records the use of the previous secret. Uses of the current one are not recorded. */
export function notePreviousUse<C extends Secrets>(
  credential: C,
  used: string,
  { nowMs, uses, effects }: ProofCheck,
  stored: {
    find(tx: WriteTx, credential: C): C | undefined;
    put(tx: WriteTx, credential: C): void;
  },
): void {
  const { id, previous } = credential;
  if (previous === null || used !== previous.verifier) return;
  const entry: UsedEntry = {
    name: `previous secret of ${id} ${used}`,
    storedMs: previous.lastUsedMillis,
    store: (tx, usedMs) => {
      const current = stored.find(tx, credential);
      if (current?.previous?.verifier !== used) return;
      const knownMs = previous.lastUsedMillis;
      const lastUsedMillis = useToStore(current.previous.lastUsedMillis, { knownMs, usedMs });
      if (lastUsedMillis === undefined) return;
      stored.put(tx, { ...current, previous: { ...current.previous, lastUsedMillis } });
    },
  };
  effects?.push(() => {
    uses.note(entry, nowMs);
  });
}
