/**
 * Runs one random history on a real server: clients on few records, with kills and revocations.
 */
import { setTimeout as pass } from 'node:timers/promises';
import type { ScopeInput } from '@agentkeep/core';
import { connect } from '@agentkeep/server/client';
import { type Random, randomFrom } from '@agentkeep/testkit/random';
import { isBroken } from '../process/broken-connection.js';
import type { RestartedServer } from '../process/restarted-server.js';
import { ask, namesOf } from './ask.js';
import { Board } from './board.js';
import type { Answer, Call, Request } from './call.js';
import { Crew, type Member } from './crew.js';
import { Journal } from './journal.js';
import { NameBoard } from './name-board.js';
import { namedIdentity } from './named-call.js';
import { identity } from './record-model.js';

/** Plan of a history. */
export interface HistoryPlan {
  readonly seed: number;
  readonly calls: number;
  readonly kills: number;
  readonly revocations: number;
  readonly visibility: 'private' | 'shared';
}

/** The server of a history. */
export interface HistoryServer {
  readonly server: RestartedServer;
  readonly adminSecret: string;
}

const CLIENTS = 16;
const CREDENTIALS_PER_SUBJECT = 2;
/** A kill can come at any moment of the work. */
const KILL_WITHIN_MS = 20;
/** One in so many requests is about names. */
const NAMED_EACH = 6;
const ADMIN = 'the administrator';

/** Runs a history. Returns all of its calls. */
export async function runHistory(
  served: HistoryServer,
  plan: HistoryPlan,
): Promise<readonly Call[]> {
  const history = new History(served, plan);
  await history.prepare();
  const clients = Array.from({ length: CLIENTS }, (_, index) => history.client(index));
  await Promise.all([...clients, history.killer(), history.revoker()]);
  await history.settle();
  return history.journal.calls;
}

class History {
  readonly journal = new Journal();
  readonly #place: HistoryServer;
  readonly #plan: HistoryPlan;
  readonly #random: Random;
  readonly #scope: ScopeInput;
  readonly #subjects: readonly string[];
  readonly #board: Board;
  readonly #names: NameBoard;
  readonly #crew: Crew;

  constructor(served: HistoryServer, plan: HistoryPlan) {
    const { seed, visibility } = plan;
    this.#place = served;
    this.#plan = plan;
    this.#random = randomFrom(seed);
    this.#scope = { project_id: `history ${seed}`, agent_id: 'a', visibility };
    // Two subjects share only records with shared visibility.
    this.#subjects = visibility === 'shared' ? ['ann', 'bob'] : ['ann'];
    this.#board = new Board(this.#random);
    this.#names = new NameBoard(this.#random);
    this.#crew = new Crew(this.#random);
  }

  /** Issues the first credentials. */
  async prepare(): Promise<void> {
    for (const subject of this.#subjects) {
      for (let count = 0; count < CREDENTIALS_PER_SUBJECT; count += 1)
        await this.#issueCredential(subject);
    }
  }

  /** Sends requests in sequence until the history is long enough. */
  async client(index: number): Promise<void> {
    const subject = this.#subjects[index % this.#subjects.length]!;
    let again: Request | undefined;
    while (this.journal.calls.length < this.#plan.calls) {
      const board = this.#random(NAMED_EACH) === 0 ? this.#names : this.#board;
      const request = again ?? board.next(subject);
      const answer = await this.#ask(`client-${index}`, this.#crew.pick(subject), request);
      // Most clients retry without an answer; others do not.
      const isOpen = answer.type === 'unknown' && this.#random(4) > 0;
      again = isOpen ? request : undefined;
    }
  }

  /** Kills the server the planned number of times. */
  async killer(): Promise<void> {
    const { calls, kills } = this.#plan;
    for (let kill = 1; kill <= kills; kill += 1) {
      await this.journal.reaches((kill * calls) / (kills + 1));
      await pass(this.#random(KILL_WITHIN_MS));
      await this.#place.server.killAndRestart();
    }
  }

  /** Revokes the planned number of credentials in use. */
  async revoker(): Promise<void> {
    const { calls, revocations } = this.#plan;
    for (let count = 1; count <= revocations; count += 1) {
      await this.journal.reaches((count * calls) / (revocations + 1));
      const subject = this.#subjects[this.#random(this.#subjects.length)]!;
      const victim = this.#crew.live(subject);
      await this.#issueCredential(subject);
      // Sometimes two at once, of which one is too late.
      const attempts = Array.from({ length: 1 + this.#random(2) }, () => this.#revoke(victim));
      await Promise.all(attempts);
      this.#crew.retire(victim);
    }
  }

  /** Repeats unanswered requests until they are answered, and reads everything. */
  async settle(): Promise<void> {
    const open = new Map<string, Extract<Request, { type: 'command' | 'named' }>>();
    for (const { request, answer } of this.journal.calls) {
      if (answer.type !== 'unknown') continue;
      if (request.type === 'command') open.set(identity(request), request);
      if (request.type === 'named') open.set(namedIdentity(request), request);
    }
    for (const request of open.values()) {
      await this.#ask('settler', this.#crew.live(request.subject), request);
    }
    const member = this.#crew.live(this.#subjects[0]!);
    for (const recordId of this.#board.recordIds) {
      await this.#ask('settler', member, { type: 'read', recordId });
    }
    await this.#ask('settler', member, { type: 'query' });
    await this.#ask('settler', member, { type: 'list names' });
  }

  async #ask(client: string, { credentialId, secret }: Member, request: Request): Promise<Answer> {
    const url = await this.#place.server.url;
    const scope = this.#scope;
    const call = { client, credential: credentialId, request };
    const answer = await this.journal.note(call, () => ask({ url, secret, scope }, request));
    this.#board.note(request, answer);
    this.#names.note(request, answer);
    return answer;
  }

  async #revoke({ credentialId }: Member): Promise<void> {
    const admin = { credentialId: ADMIN, secret: this.#place.adminSecret, subject: 'ops' };
    let answer: Answer;
    do answer = await this.#ask(ADMIN, admin, { type: 'revoke', credentialId });
    while (answer.type === 'unknown');
  }

  /** Issues a credential, and retries if the server is killed meanwhile. */
  async #issueCredential(subject: string): Promise<void> {
    const spec = {
      subject_id: subject,
      capabilities: ['memory_read' as const, 'memory_write' as const],
      grants: [this.#scope, namesOf(this.#scope)],
    };
    for (;;) {
      const url = await this.#place.server.url;
      const admin = connect({ url, secret: this.#place.adminSecret, retry: false });
      try {
        const { credential, secret } = await admin.credentials.issue(spec);
        this.#crew.add({ credentialId: credential.id, secret, subject });
        return;
      } catch (error) {
        if (!isBroken(error)) throw error;
      }
    }
  }
}
