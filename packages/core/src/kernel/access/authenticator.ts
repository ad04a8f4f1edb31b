/** The port that checks the proofs of one kind of principal against durable state. */
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

/** Runs a read, then carries out the effects that its body added. */
export async function readWithEffects<T>(
  store: Pick<Store, 'read'>,
  body: (tx: ReadTx, effects: ReadEffects) => T,
): Promise<T> {
  const { result, effects } = await store.read((tx) => {
    const effects: ReadEffects = [];
    return { result: body(tx, effects), effects };
  });
  for (const effect of effects) effect();
  return result;
}
