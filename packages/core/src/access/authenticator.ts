/** The port through which a kind of principal proves itself against durable state. */
import type { ReadTx, Store } from '../storage/store/store.js';
import type { Principal, Proof } from './principal.js';

/**
 * Work to do after the body of a read has returned. A body may run more than once, so it has no
 * effects itself: each run fills a new list, and only the list of the last run is carried out.
 */
export type ReadEffects = (() => void)[];

/**
 * Checks a proof against the stored state of the moment. Returns `undefined` for a proof that is
 * not valid, for any reason. Without `effects`, which is for a call that was proved before, no use
 * of the proof is recorded.
 */
export type Authenticator = (
  tx: ReadTx,
  proof: Proof,
  nowMs: number,
  effects?: ReadEffects,
) => Principal | undefined;

/** Runs a read, then carries out the effects that its body added. */
export async function readWithEffects<T>(
  store: Pick<Store, 'read'>,
  body: (tx: ReadTx, effects: ReadEffects) => T,
): Promise<T> {
  const { result, effects } = await store.read((tx) => {
    const added: ReadEffects = [];
    return { result: body(tx, added), effects: added };
  });
  for (const effect of effects) effect();
  return result;
}
