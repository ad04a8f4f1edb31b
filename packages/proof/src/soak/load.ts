/**
 * Mixed load of agents, people and strangers on a server, at full speed.
 */
import { AgentkeepError, type ErrorCode } from '@agentkeep/core';
import { connect, logIn, type ServerAddress } from '@agentkeep/server/client';
import type { Chooser } from '../fuzz/chooser.js';
import { LearningWork } from '../workload/learning-work.js';
import { type Parties, workScopes } from '../workload/parties.js';

/** Most records of a player; further ones are deleted. */
const LIVE_MAX = 200;
const TEXT_CHARS = [40, 400, 3_000];

/** State that all players share. */
export interface Scene {
  readonly url: string;
  readonly parties: Parties;
  readonly password: string;
}

interface LiveRecord {
  readonly recordId: string;
  expectedRevision: number;
}

/** A client that performs one action after the other. */
export class Player {
  readonly #scene: Scene;
  readonly #name: string;
  readonly #chooser: Chooser;
  readonly #live: LiveRecord[] = [];
  readonly #learning: LearningWork;
  #turns = 0;
  /** Number of created entries that the statistics do not count. */
  evaluations = 0;
  /** Number of calls with the expected answer. */
  calls = 0;

  /** `procedureId` belongs to this player, and the account `name` exists. */
  constructor(scene: Scene, name: string, procedureId: string, chooser: Chooser) {
    this.#scene = scene;
    this.#name = name;
    this.#chooser = chooser;
    this.#learning = new LearningWork(procedureId);
  }

  /**
   * Performs one action.
   * @throws {Error} on an unexpected answer.
   */
  async turn(): Promise<void> {
    this.#turns += 1;
    const [act] = this.#chooser.weighted(ACTS, ([, weight]) => weight);
    await act(this);
    this.calls += 1;
  }

  get #memory() {
    return this.#scene.parties.writer.memory;
  }

  get #key() {
    return { idempotencyKey: `${this.#name}-${this.#turns}` };
  }

  #record(validForMs?: number) {
    const text = 'word '.repeat(this.#chooser.pick(TEXT_CHARS) / 5);
    return {
      episode_type: 'Observation' as const,
      content: { primary: `${this.#name} ${this.#turns} ${text}` },
      event_time_millis: 0,
      valid_until_millis: validForMs === undefined ? null : Date.now() + validForMs,
    };
  }

  /** Creates a record, or deletes one if there are enough. */
  async create(): Promise<void> {
    if (this.#live.length >= LIVE_MAX) return this.delete();
    const { record_id } = await this.#memory.in(workScopes[0]).create(this.#record(), this.#key);
    this.#live.push({ recordId: record_id, expectedRevision: 1 });
  }

  /** Creates a record that expires after a second. */
  async createExpiring(): Promise<void> {
    await this.#memory.in(workScopes[1]).create(this.#record(1_000), this.#key);
  }

  /** Updates a record. */
  async update(): Promise<void> {
    const target = this.#target;
    if (target === undefined) return this.create();
    await this.#memory.in(workScopes[0]).update(target, this.#record(), this.#key);
    target.expectedRevision += 1;
  }

  /** Deletes a record. */
  async delete(): Promise<void> {
    const target = this.#target;
    if (target === undefined) return;
    this.#live.splice(this.#live.indexOf(target), 1);
    await this.#memory.in(workScopes[0]).delete(target, this.#key);
  }

  /** Reads a record. */
  async read(): Promise<void> {
    const target = this.#target;
    if (target === undefined) return;
    await this.#memory.in(workScopes[0]).read(target.recordId);
  }

  get #target(): LiveRecord | undefined {
    return this.#live.length === 0 ? undefined : this.#chooser.pick(this.#live);
  }

  /** Queries a text. */
  async query(): Promise<void> {
    const filter = { text_contains: String(this.#chooser.below(1_000)) };
    await this.#memory.in(workScopes[0]).queryPage(filter, { limit: 20 });
  }

  /** Evaluates a case. */
  async evaluate(): Promise<void> {
    const step = this.#learning.next();
    const result = await this.#learning.send(this.#scene.parties, step);
    this.#learning.note({ step, result });
    this.evaluations += 1;
  }

  /** Logs in, refreshes the token, and revokes it or logs out. */
  async session(): Promise<void> {
    const { url, password } = this.#scene;
    const { agent } = await logIn({ url, username: this.#name, password, retry: false });
    const { access_token } = await agent.session.refresh();
    if (this.#chooser.chance(0.5)) await agent.session.revoke(access_token);
    else await agent.session.logOut();
  }

  /** Issues a credential, uses it, and revokes it. */
  async credential(): Promise<void> {
    const { credentials } = this.#scene.parties.admin;
    const spec = { subject_id: this.#name, capabilities: ['memory_read' as const], grants: [] };
    const { credential, secret } = await credentials.issue(spec);
    await connect({ url: this.#scene.url, secret, retry: false }).whoAmI();
    await credentials.revoke(credential.id, credential.revision);
  }

  /** Fails to log in with an unknown name from a forged address. */
  async logInWithUnknownName(): Promise<void> {
    const username = `stranger-${this.#name}-${this.#turns}`;
    const attempt = logIn({ ...this.#forging, username, password: 'x' });
    await refused(attempt, 'invalid_login');
  }

  /** Guesses the password of one of 50 names, which get locked. */
  async guess(): Promise<void> {
    const username = `victim-${this.#chooser.below(50)}`;
    const attempt = logIn({ ...this.#forging, username, password: 'x' });
    await refused(attempt, 'invalid_login', 'account_locked');
  }

  /** Calls without a valid proof from a forged address. */
  async callWithInvalidSecret(): Promise<void> {
    const secret = 'nothing';
    const caller = connect({ ...this.#forging, secret });
    await refused(caller.whoAmI(), 'unauthorized');
  }

  /** Queries the latest events. */
  async audit(): Promise<void> {
    await this.#scene.parties.root.audit.queryPage({ limit: 50 });
  }

  /** The server, called once from a forged address. */
  get #forging(): ServerAddress {
    return { url: this.#scene.url, fetch: this.#forged, retry: false };
  }

  readonly #forged = (url: string, init: RequestInit): Promise<Response> => {
    const parts = [10, ...this.#chooser.bytes(3)];
    const headers = new Headers(init.headers);
    headers.set('X-Forwarded-For', parts.join('.'));
    return fetch(url, { ...init, headers });
  };
}

/** Actions of players, with their weights. */
const ACTS: readonly (readonly [act: (player: Player) => Promise<void>, weight: number])[] = [
  [(player) => player.create(), 25],
  [(player) => player.createExpiring(), 3],
  [(player) => player.update(), 25],
  [(player) => player.delete(), 10],
  [(player) => player.read(), 20],
  [(player) => player.query(), 5],
  [(player) => player.evaluate(), 5],
  [(player) => player.session(), 0.5],
  [(player) => player.credential(), 1],
  [(player) => player.logInWithUnknownName(), 0.5],
  [(player) => player.guess(), 0.5],
  [(player) => player.callWithInvalidSecret(), 10],
  [(player) => player.audit(), 1],
];

async function refused(attempt: Promise<unknown>, ...codes: readonly ErrorCode[]): Promise<void> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof AgentkeepError && codes.includes(error.code)) return;
    throw error;
  }
  throw new Error(`A call succeeded that should be refused with ${codes.join(' or ')}.`);
}
