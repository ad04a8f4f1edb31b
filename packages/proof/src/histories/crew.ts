/**
 * The credentials that clients act with, several for each subject. Some are revoked in the course
 * of a history, and those are still tried for a while.
 * @module
 */
import type { Random } from '@agentkeep/testkit/random';

/** A credential of a subject. */
export interface Member {
  readonly credentialId: string;
  readonly secret: string;
  readonly subject: string;
}

/** How many revoked ones are still tried. */
const REVOKED_KEPT = 2;

/** All credentials of a history. */
export class Crew {
  readonly #random: Random;
  readonly #live: Member[] = [];
  readonly #revoked: Member[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** Takes one in. */
  add(member: Member): void {
    this.#live.push(member);
  }

  /** Somebody who acts for the subject, now and then with a credential that was revoked. */
  pick(subject: string): Member {
    const isTrial = this.#revoked.length > 0 && this.#random(25) === 0;
    return this.#choose(isTrial ? this.#revoked : this.#live, subject) ?? this.live(subject);
  }

  /** Somebody who acts for the subject and whom nobody is about to revoke. */
  live(subject: string): Member {
    return this.#choose(this.#live, subject)!;
  }

  /** Tells of a revocation that is over. */
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
