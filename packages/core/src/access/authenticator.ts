/**
 * The port through which a kind of principal proves itself against durable state.
 * @module
 */
import type { ReadTx, Store } from '../storage/store/store.js';
import type { Principal, Proof } from './principal.js';

/**
 * What is to be done once the body of a transaction has run for good. A body may run more than
 * once, and in vain, so it does nothing itself; each run makes a list of its own.
 */
export type Aftermath = (() => void)[];

/**
 * Checks a proof against what is stored at that moment. `undefined` means that this proof is not
 * valid, whatever the reason; several authenticators are asked in turn. Who gives no aftermath
 * wants nothing noted, because the call has been proved before.
 */
export type Authenticator = (
  tx: ReadTx,
  proof: Proof,
  nowMs: number,
  aftermath?: Aftermath,
) => Principal | undefined;

/** Runs a body that reads, and then does what it has led to. */
export async function readWithAftermath<T>(
  store: Pick<Store, 'read'>,
  body: (tx: ReadTx, aftermath: Aftermath) => T,
): Promise<T> {
  const { result, aftermath } = await store.read((tx) => {
    const led: Aftermath = [];
    return { result: body(tx, led), aftermath: led };
  });
  for (const act of aftermath) act();
  return result;
}
