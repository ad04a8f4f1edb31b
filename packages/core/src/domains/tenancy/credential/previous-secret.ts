/**
 * The secret that a rotation replaced, while it still proves its credential
 * (docs/contract/credentials.md#crd-97).
 */
import { sameVerifier } from '../../../kernel/access/secret.js';
import type { PresentedSecret } from '../../../kernel/access/presented-secret.js';
import type { ProofCheck } from '../../../kernel/services/proof-check.js';
import { type UsedEntry, useToStore } from '../../../kernel/services/use-log.js';
import type { WriteTx } from '../../../storage/store/store.js';

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
