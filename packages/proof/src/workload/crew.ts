/**
 * The workers of a run: mixed load on one server, and an account of what it acknowledged.
 * @module
 */
import { randomUUID } from 'node:crypto';
import { connect } from '@agentkeep/server/client';
import type { Random } from '@agentkeep/testkit/random';
import { randomFrom } from '@agentkeep/testkit/random';
import { AccountWork } from './account-work.js';
import type { AccountsByKind, Kind } from './checks.js';
import { CredentialWork } from './credential-work.js';
import { LearningWork } from './learning-work.js';
import { MemoryWork } from './memory-work.js';
import { type Parties, partiesOf, type Secrets, workScopes } from './parties.js';
import type { Account, Deed, Work } from './work.js';

const MEMORY_WORKERS = 4;

/** The procedures that workers evaluate. */
export const procedureIds = ['c0', 'c1'] as const;

interface Answered extends Deed {
  /** The id of the request, which its answer repeats. */
  readonly requestId: string;
}

interface Worker {
  readonly kind: Kind;
  readonly work: Work;
  readonly done: Answered[];
  /** Sent, and not acknowledged. */
  pending: unknown;
}

/** Where a crew works. */
export interface Workplace {
  readonly url: string;
  readonly secrets: Secrets;
}

/** A crew may go from one server over a directory to the next one. */
export class Crew {
  /** What the server refused, in the order in which it did; a worker ends with its refusal. */
  readonly refusals: unknown[] = [];
  readonly #workers: Worker[];

  constructor(random: Random) {
    const own = (): Random => randomFrom(random(0x1_0000_0000));
    this.#workers = [
      ...Array.from({ length: MEMORY_WORKERS }, (_, at) =>
        worker('memory', new MemoryWork(`w${at}`, workScopes[at % 2]!, own())),
      ),
      worker('credentials', new CredentialWork('agent')),
      worker('accounts', new AccountWork('user')),
      ...procedureIds.map((id) => worker('learning', new LearningWork(id))),
    ];
  }

  /** Steps that were acknowledged. */
  get acknowledged(): number {
    return this.#workers.reduce((sum, { done }) => sum + done.length, 0);
  }

  /**
   * Works until it is told to end, or the server is gone. Somebody else goes on in the place of who
   * does not know whether a step took effect that cannot be sent again.
   */
  async work(place: Workplace, isOver: () => boolean): Promise<void> {
    const able = this.#workers.map((each) => (mayGoOn(each) ? each : this.#replace(each)));
    await Promise.all([...new Set(able)].map((each) => this.#workAs(each, place, isOver)));
  }

  /**
   * Lets each worker take one step after the other, some times over. What was refused is sent again
   * where that is harmless; else its worker does nothing more.
   */
  async takeTurns(place: Workplace, rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      for (const each of this.#workers) {
        if (!mayGoOn(each)) continue;
        let isDone = false;
        await this.#workAs(each, place, () => isDone || !(isDone = true));
      }
    }
  }

  /** What was acknowledged, and then perhaps sent, by the answers that a client may have got. */
  accounts(isAnswered: (requestId: string) => boolean = () => true): AccountsByKind {
    const byKind: Record<Kind, Account[]> = {
      memory: [],
      credentials: [],
      accounts: [],
      learning: [],
    };
    for (const { kind, done, pending } of this.#workers) {
      const first = done.findIndex(({ requestId }) => !isAnswered(requestId));
      const count = first === -1 ? done.length : first;
      const next = done[count]?.step ?? pending;
      const own = done.slice(0, count).map(({ step, result }) => ({ step, result }));
      byKind[kind].push({ done: own, ...(next === undefined ? {} : { next }) });
    }
    return byKind;
  }

  #replace({ kind }: Worker): Worker {
    const able = this.#workers.find((each) => each.kind === kind && mayGoOn(each));
    if (able !== undefined) return able;
    const name = `${kind}-${this.#workers.length}`;
    const fresh =
      kind === 'credentials'
        ? worker(kind, new CredentialWork(name))
        : worker(kind, new AccountWork(name));
    this.#workers.push(fresh);
    return fresh;
  }

  async #workAs(each: Worker, place: Workplace, isOver: () => boolean): Promise<void> {
    const told = { requestId: '' };
    const parties = await tellingParties(place, told);
    while (!isOver()) {
      each.pending ??= each.work.next();
      const step = each.pending;
      try {
        const deed = { step, result: await each.work.send(parties, step) };
        each.done.push({ ...deed, requestId: told.requestId });
        each.work.note(deed);
        each.pending = undefined;
      } catch (error) {
        if (!isBroken(error)) this.refusals.push(error);
        return;
      }
    }
  }
}

/** Whether a worker has nothing pending, or may send it again: the same step takes effect once. */
function mayGoOn({ kind, pending }: Worker): boolean {
  return pending === undefined || kind === 'memory' || kind === 'learning';
}

function worker<S, R>(kind: Kind, work: Work<S, R>): Worker {
  return { kind, work, done: [], pending: undefined };
}

/** Parties whose requests have ids that the worker learns. */
function tellingParties(
  { url, secrets }: Workplace,
  told: { requestId: string },
): Promise<Parties> {
  const fetchWithId = (target: string, init: RequestInit): Promise<Response> => {
    told.requestId = randomUUID();
    const headers = new Headers(init.headers);
    headers.set('X-Request-Id', told.requestId);
    return fetch(target, { ...init, headers });
  };
  return partiesOf(secrets, (secret) => connect({ url, secret, fetch: fetchWithId }));
}

/** Whether a call failed because the other end was gone: no answer, or half of one. */
function isBroken(error: unknown): boolean {
  return error instanceof TypeError || error instanceof SyntaxError;
}
