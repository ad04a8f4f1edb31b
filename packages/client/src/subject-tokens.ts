/** The tokens of a service that acts for subjects. */
import type { CallOperation } from '@agentkeep/core/clients';
import type { ClientClock } from './clock.js';
import { HeldSecret } from './held-secret.js';

/** Most subjects whose tokens are kept; those that were used longest ago give way. */
const SUBJECTS_MAX = 10_000;

/** The tokens of one service, kept by subject, so that a request costs no call of its own. */
export class SubjectTokens {
  readonly #service: CallOperation;
  readonly #clock: ClientClock;
  readonly #held = new Map<string, HeldSecret>();

  constructor(service: CallOperation, clock: ClientClock) {
    this.#service = service;
    this.#clock = clock;
  }

  /** Returns the token of a subject, which is got before the first call. */
  of(subjectId: string): HeldSecret {
    const held = this.#held.get(subjectId) ?? this.#tokenOf(subjectId);
    this.#held.delete(subjectId);
    this.#held.set(subjectId, held);
    const [oldest] = this.#held.keys();
    if (this.#held.size > SUBJECTS_MAX && oldest !== undefined) this.#held.delete(oldest);
    return held;
  }

  #tokenOf(subjectId: string): HeldSecret {
    const document = { contract_version: 1, subject_id: subjectId } as const;
    const renew = () => this.#service('issueSubjectToken', { document });
    return new HeldSecret({ renew, clock: this.#clock });
  }
}
