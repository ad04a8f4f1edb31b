/** Checks DPoP proofs (RFC 9449) for one process. */
import { verify } from 'node:crypto';
import type { SentKeyProof } from '../../../kernel/access/sent-key-proof.js';
import { sha256Text } from '../../../contract/digest.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { Entropy } from '../../../kernel/ports/entropy.js';
import type { KeyProofs, ReadKeyProof } from '../../../kernel/ports/key-proofs.js';
import { readProofText, type StatedProof } from './proof-form.js';
import { ProofMemory } from './proof-memory.js';

const NONCE_BYTES = 16;

/** Characters of the digest of an id that are remembered: 132 bits. */
const ID_CHARS = 22;

/** Checks proofs for one process. */
export class DpopProofs implements KeyProofs {
  readonly #memory: ProofMemory;

  constructor(entropy: Entropy) {
    this.#memory = new ProofMemory(() =>
      Buffer.from(entropy.bytes(NONCE_BYTES)).toString('base64url'),
    );
  }

  /** Reads a proof; `undefined` if its form, its request, its token or its time is wrong. */
  read(sent: SentKeyProof, nowMs: number): ReadKeyProof | undefined {
    const stated = readProofText(sent, nowMs);
    if (stated === undefined) return undefined;
    return {
      thumbprint: stated.thumbprint,
      accept: (credentialId, acceptedMs) =>
        isSigned(sent.proof, stated) && this.#isNew(stated, credentialId, acceptedMs),
    };
  }

  #isNew({ jti, nonce }: StatedProof, credentialId: string, nowMs: number): boolean {
    const id = sha256Text(jti, 'base64url').slice(0, ID_CHARS);
    const admission = this.#memory.admit(credentialId, { nonce, id }, nowMs);
    if (admission !== 'stale') return admission === 'new';
    const details = { dpop_nonce: this.#memory.nonceOf(credentialId, nowMs) };
    throw new AgentkeepError('use_dpop_nonce', { details });
  }
}

/** A signature of ES256 has both numbers in 32 bytes each (RFC 7518, section 3.4). */
function isSigned(proof: string, { key }: StatedProof): boolean {
  const end = proof.lastIndexOf('.');
  const signed = Buffer.from(proof.slice(0, end), 'ascii');
  const signature = Buffer.from(proof.slice(end + 1), 'base64url');
  return key.asymmetricKeyType === 'ec'
    ? verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)
    : verify(null, signed, key, signature);
}
