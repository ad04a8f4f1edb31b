/** Chooses requests about a few names, which all clients share. */
import type { Random } from '@agentkeep/testkit/random';
import type { Answer, Request } from './call.js';
import type { NamedChange, NamedCommand, NamedRequest } from './named-call.js';

const NAMES = ['first', 'second', 'third'] as const;
/** New commands on names before others take their place, so that few calls are judged together. */
const COMMANDS_EACH = 40;
/** Number of latest commands that are sometimes sent again. */
const RECENT_MAX = 20;

/** What the clients know of the names. */
export class NameBoard {
  readonly #random: Random;
  readonly #revisions = new Map<string, number>();
  readonly #recent: NamedCommand[] = [];
  #keys = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Chooses a request of a subject. */
  next(subject: string): NamedRequest {
    const kind = this.#random(10);
    if (kind < 2) return { type: 'look up', name: this.#name() };
    if (kind < 3) return { type: 'list names' };
    const own = this.#recent.filter((each) => each.subject === subject);
    const again = kind < 4 ? own[this.#random(own.length)] : undefined;
    return again ?? this.#fresh(subject);
  }

  /** Updates the knowledge from an answer. */
  note(request: Request, answer: Answer): void {
    if (request.type === 'named') {
      this.#recent.push(request);
      if (this.#recent.length > RECENT_MAX) this.#recent.shift();
      if (answer.type !== 'outcomes') return;
      for (const [index, { name, type }] of request.changes.entries()) {
        const { revision } = answer.outcomes[index]!;
        this.#revisions.set(name, type === 'remove' ? 0 : revision);
      }
    }
    if (request.type === 'look up' && answer.type === 'shown') {
      this.#revisions.set(request.name, answer.records[0]?.revision ?? 0);
    }
  }

  #fresh(subject: string): NamedCommand {
    this.#keys += 1;
    const key = `n${this.#keys}`;
    const size = this.#random(2) === 0 ? 1 : 2 + this.#random(2);
    const changes = Array.from({ length: size }, (_, index) =>
      this.#change(`${subject} ${key} ${index}`),
    );
    return { type: 'named', subject, key, changes };
  }

  #change(text: string): NamedChange {
    const name = this.#name();
    const isRemoval = this.#random(4) === 0;
    const known = this.#revisions.get(name) ?? 0;
    const expected = this.#random(3) === 0 && !(isRemoval && known === 0);
    return {
      type: isRemoval ? 'remove' : 'put',
      name,
      ...(expected ? { expectedRevision: known } : {}),
      text: isRemoval ? '' : text,
    };
  }

  #name(): string {
    const generation = Math.floor(this.#keys / COMMANDS_EACH);
    return `${NAMES[this.#random(NAMES.length)]!} ${generation}`;
  }
}
