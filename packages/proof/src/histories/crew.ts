/**
 * The credentials of the clients, several for each subject. Some are revoked during a history, and
 * clients still try those for a while.
 */
import type { Random } from '@agentkeep/testkit/random';

/** A credential of a subject. */
export interface Member {
  readonly credentialId: string;
  readonly secret: string;
  readonly subject: string;
}

/** Number of revoked credentials that are still tried. */
const REVOKED_KEPT = 2;

/** All credentials of a history. */
export class Crew {
  readonly #random: Random;
  readonly #live: Member[] = [];
  readonly #revoked: Member[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** Adds a credential. */
  add(member: Member): void {
    this.#live.push(member);
  }

  /** Returns a credential of a subject, sometimes a revoked one. */
  pick(subject: string): Member {
    const isTrial = this.#revoked.length > 0 && this.#random(25) === 0;
    return this.#choose(isTrial ? this.#revoked : this.#live, subject) ?? this.live(subject);
  }

  /** Returns a credential of a subject that no revocation is in progress for. */
  live(subject: string): Member {
    return this.#choose(this.#live, subject)!;
  }

  /** Records a completed revocation. */
  retire(member: Member): void {
    this.#live.splice(this.#live.indexOf(member), 1);
    this.#revoked.push(member);
    if (this.#revoked.length > REVOKED_KEPT) this.#revoked.shift();
  }

  #choose(from: readonly Member[], subject: string): Member | undefined {
    const own = from.filter((each) => each.subject === subject);
    return own[this.#random(own.length)];
  }
}
