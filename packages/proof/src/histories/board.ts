/**
 * Shared knowledge of the clients of a history. They all change the same few records, reuse keys of
 * others, and may act on outdated knowledge.
 */
import type { Answer, Command, Request } from './call.js';
import type { Random } from '@agentkeep/testkit/random';

/** Most live records at a time; few, so that clients conflict. */
const LIVE_MAX = 6;
/** Most created records, because each query returns all of them. */
const MADE_MAX = 30;
/** Number of latest commands whose keys are usually reused. */
const RECENT_MAX = 60;

/** The last known state of a record. */
interface Known {
  revision: number;
  isDeleted: boolean;
}

/** Chooses the next requests. */
export class Board {
  readonly #random: Random;
  readonly #known = new Map<string, Known>();
  readonly #recent: Command[] = [];
  #made = 0;
  #texts = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Ids of all known records. */
  get recordIds(): string[] {
    return [...this.#known.keys()];
  }

  /** Chooses a request of a subject. */
  next(subject: string): Request {
    const kind = this.#random(100);
    if (kind < 12) return { type: 'query' };
    if (kind < 30) return { type: 'read', recordId: this.#anyRecord() };
    if (kind < 38) return this.#replay(subject) ?? this.#fresh(subject);
    if (kind < 44) return this.#rival(subject) ?? this.#fresh(subject);
    return this.#fresh(subject);
  }

  /** Updates the knowledge from an answer. */
  note(request: Request, answer: Answer): void {
    if (answer.type === 'receipt') {
      const { record_id, revision, action } = answer.receipt;
      // The receipt of a redaction names an old revision.
      if (action !== 'redacted') {
        this.#learn(record_id, { revision, isDeleted: action === 'deleted' });
      }
    }
    if (answer.type === 'shown') {
      for (const { recordId, revision } of answer.records) {
        this.#learn(recordId, { revision, isDeleted: false });
      }
    }
    if (request.type === 'command' && !this.#recent.includes(request)) {
      this.#recent.push(request);
      if (this.#recent.length > RECENT_MAX) this.#recent.shift();
    }
  }

  #learn(recordId: string, told: Known): void {
    const known = this.#known.get(recordId);
    if (known === undefined || known.revision <= told.revision) this.#known.set(recordId, told);
  }

  /** Returns a command with a new key. */
  #fresh(subject: string): Command {
    this.#texts += 1;
    const key = `k${this.#texts}`;
    return commandOf({ subject, key, change: this.#change(), text: `${subject} ${key}` });
  }

  #change(): Command['change'] {
    const live = [...this.#known].filter(([, { isDeleted }]) => !isDeleted);
    const kind = this.#random(100);
    const isWanted = live.length === 0 || (live.length < LIVE_MAX && kind < 30);
    // Creates with a lost answer count too.
    if (isWanted && this.#made < MADE_MAX) {
      this.#made += 1;
      return { type: 'create' };
    }
    const from = live.length === 0 || kind > 96 ? [...this.#known] : live;
    const [recordId, { revision }] = from[this.#random(from.length)]!;
    const isOff = this.#random(12) === 0;
    const expectedRevision = revision + (isOff ? this.#random(3) - 1 : 0);
    // Of the last revisions, so that restores and redactions meet; sometimes the current one.
    const old = Math.max(1, revision - this.#random(4));
    if (kind % 9 === 0) return { type: 'redact', recordId, revision: old };
    if (kind % 9 === 1) return { type: 'restore', recordId, expectedRevision, revision: old };
    const type = kind > 93 && this.#made < MADE_MAX ? 'delete' : 'update';
    return { type, recordId, expectedRevision };
  }

  /** Returns a command that was sent before. */
  #replay(subject: string): Command | undefined {
    const own = this.#recent.filter((each) => each.subject === subject);
    return own[this.#random(own.length)];
  }

  /** Returns another command with a used key. */
  #rival(subject: string): Command | undefined {
    const used = this.#replay(subject);
    if (used === undefined || this.#known.size === 0) return undefined;
    this.#texts += 1;
    const text = `${subject} ${used.key} again ${this.#texts}`;
    const isLike = this.#random(2) === 0;
    return commandOf({ ...used, text, change: isLike ? used.change : this.#change() });
  }

  #anyRecord(): string {
    const ids = this.recordIds;
    return ids[this.#random(ids.length)] ?? UNKNOWN_ID;
  }
}

/** The text of a command; only creates and updates have one. */
function commandOf(parts: Omit<Command, 'type'>): Command {
  const { type } = parts.change;
  const text = type === 'create' || type === 'update' ? parts.text : '';
  return { ...parts, text, type: 'command' };
}

/** A well-formed id that no record has. */
const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';
