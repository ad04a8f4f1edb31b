/** Proofs that a caller has a key (RFC 9449, DPoP), as a port. */
import type { SentKeyProof } from '../access/key-thumbprint.js';
import { Port } from './port.js';

/** A proof that fits its request. Its signature is not verified yet. */
export interface ReadKeyProof {
  /** Thumbprint of the key (RFC 7638). */
  readonly thumbprint: string;
  /**
   * Verifies the signature, and that the proof was not used before. Call it only for the key of a
   * live credential: what it remembers is bounded for each of them.
   *
   * @throws {AgentkeepError} `use_dpop_nonce` with the nonce that the next proof needs.
   */
  accept(credentialId: string, nowMs: number): boolean;
}

/** Checks proofs. */
export interface KeyProofs {
  /** Reads a proof; `undefined` if its form, its request, its token or its time is wrong. */
  read(sent: SentKeyProof, nowMs: number): ReadKeyProof | undefined;
}

/** Checks proofs of callers that have keys instead of secrets. */
export const keyProofs = new Port<KeyProofs>('keyProofs');
