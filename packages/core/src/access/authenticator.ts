/**
 * The port through which a kind of principal proves itself against durable state.
 * @module
 */
import type { ReadTx } from '../store/store.js';
import type { Principal, Proof } from './principal.js';

/**
 * Checks a proof against what is stored at that moment. `undefined` means that this proof is not
 * valid, whatever the reason; several authenticators are asked in turn.
 */
export type Authenticator = (tx: ReadTx, proof: Proof, nowMs: number) => Principal | undefined;
