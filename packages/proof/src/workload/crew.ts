/**
 * The workers of a run: mixed load on one server, with a record of its acknowledgements.
 */
import { randomUUID } from 'node:crypto';
import type { Random } from '@agentkeep/testkit/random';
import { randomFrom } from '@agentkeep/testkit/random';
import { isBroken } from '../process/broken-connection.js';
import { AccountWork } from './account-work.js';
import type { AccountsByKind, Kind } from './checks.js';
import { CredentialWork } from './credential-work.js';
import { LearningWork } from './learning-work.js';
import { MemoryWork } from './memory-work.js';
import { type Parties, overHttp, partiesOf, type Secrets, workScopes } from './parties.js';
import type { Account, Task, Work } from './work.js';

const MEMORY_WORKERS = 4;

/** The procedures that workers evaluate. */
export const procedureIds = ['c0', 'c1'] as const;

interface Answered extends Task {
  /** The id of the request, which its answer echoes. */
  readonly requestId: string;
}

interface Worker {
  readonly kind: Kind;
  readonly work: Work;
  readonly done: Answered[];
  /** Sent but not acknowledged. */
  pending: unknown;
}

/** A server with the secrets for it. */
export interface WorkEnvironment {
  readonly url: string;
  readonly secrets: Secrets;
}

/** A crew can move from one server of a directory to the next. */
export class Crew {
  /** Refusals of the server in order. A worker stops at its refusal. */
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

  /** Number of acknowledged steps. */
  get acknowledged(): number {
    return this.#workers.reduce((sum, { done }) => sum + done.length, 0);
  }

  /**
   * Works until `isOver` returns true or the server ends. A worker with an unknown outcome of a
   * step that cannot be repeated is replaced by another one.
   */
  async work(place: WorkEnvironment, isOver: () => boolean): Promise<void> {
    const able = this.#workers.map((each) => (canContinue(each) ? each : this.#replace(each)));
    await Promise.all([...new Set(able)].map((each) => this.#workAs(each, place, isOver)));
  }

  /**
   * Runs one step per worker in sequence, for several turns. A refused step is repeated if that is
   * safe. Otherwise its worker stops.
   */
  async takeTurns(place: WorkEnvironment, rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      for (const each of this.#workers) {
        if (!canContinue(each)) continue;
        let isDone = false;
        await this.#workAs(each, place, () => isDone || !(isDone = true));
      }
    }
  }

  /**
   * Returns the acknowledged steps, and the pending one, for the answers that a client received.
   */
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
    const able = this.#workers.find((each) => each.kind === kind && canContinue(each));
    if (able !== undefined) return able;
    const name = `${kind}-${this.#workers.length}`;
    const fresh =
      kind === 'credentials'
        ? worker(kind, new CredentialWork(name))
        : worker(kind, new AccountWork(name));
    this.#workers.push(fresh);
    return fresh;
  }

  async #workAs(each: Worker, place: WorkEnvironment, isOver: () => boolean): Promise<void> {
    const told = { requestId: '' };
    const parties = await reportingParties(place, told);
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

/** Whether a worker has no pending step, or can safely repeat it. */
function canContinue({ kind, pending }: Worker): boolean {
  return pending === undefined || kind === 'memory' || kind === 'learning';
}

function worker<S, R>(kind: Kind, work: Work<S, R>): Worker {
  return { kind, work, done: [], pending: undefined };
}

/** Returns parties that report the ids of their requests to the worker. */
function reportingParties(
  { url, secrets }: WorkEnvironment,
  told: { requestId: string },
): Promise<Parties> {
  const fetchWithId = (target: string, init: RequestInit): Promise<Response> => {
    told.requestId = randomUUID();
    const headers = new Headers(init.headers);
    headers.set('X-Request-Id', told.requestId);
    return fetch(target, { ...init, headers });
  };
  return partiesOf(secrets, overHttp({ url, fetch: fetchWithId }));
}
