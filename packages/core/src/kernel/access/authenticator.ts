/** The port that checks the proofs of one kind of principal against durable state. */
import { readAtOnce, type Settled, whenSettled } from '../../storage/store/read-at-once.js';
import type { ReadTx, Store } from '../../storage/store/store.js';
import type { Principal, CallerProof } from './principal.js';

/**
 * Effects to carry out after the body of a read. A body may run more than once, so it must not have
 * effects itself: each run fills a new list, and only the list of the last run is carried out.
 */
export type ReadEffects = (() => void)[];

/**
 * Checks a proof against the stored state. Returns `undefined` if it is not valid, for any reason.
 * Pass no `effects` to check a call again: then this use of the proof is not recorded.
 *
 * @throws {AgentkeepError} `subject_blocked` for a valid proof of a blocked subject.
 */
export type Authenticator = (
  tx: ReadTx,
  proof: CallerProof,
  nowMs: number,
  effects?: ReadEffects,
) => Principal | undefined;

/** Runs a read, at once if it can, then carries out the effects that its body added. */
export function readWithEffects<T>(
  store: Pick<Store, 'read' | 'readNow'>,
  body: (tx: ReadTx, effects: ReadEffects) => T,
): Settled<T> {
  const read = readAtOnce(store, (tx) => {
    const effects: ReadEffects = [];
    return { result: body(tx, effects), effects };
  });
  return whenSettled(read, ({ result, effects }) => {
    for (const effect of effects) effect();
    return result;
  });
}
