/**
 * A well-behaved tenant: it writes, reads back, queries, logs in, changes an account, and reads its
 * audit log, from an address of its own, and counts what it loses.
 */
import { performance } from 'node:perf_hooks';
import { type Agent, AgentkeepError } from '@agentkeep/core';
import { connect, logIn } from '@agentkeep/server/client';
import { type AbusedSite, GOOD, goodScope, PASSWORD, recordOf } from './abused-site.js';
import { LocalClient } from './local-client.js';
import type { Losses } from './losses.js';

/** The address of the tenant. */
export const GOOD_ADDRESS = '127.0.0.2';

/** The tenant's work beside one attack. */
export interface WorkBeside {
  /** Resolves after the given number of rounds. */
  readonly enough: Promise<void>;
  /**
   * Ends the work after those rounds at the earliest; returns how long its calls of
   * `GET /identity` took, in milliseconds.
   */
  readonly end: () => Promise<readonly number[]>;
}

/** The tenant with everything that it must find again. */
export class GoodTenant implements Disposable {
  readonly #losses: Losses;
  readonly #texts = new Map<string, string>();
  readonly #tookMs: number[] = [];
  #client: LocalClient;
  #admin: Agent;
  #agent: Agent;
  #changedId = '';
  #changes = 0;
  #beside = '';
  /** Number of answered calls. */
  calls = 0;

  constructor(site: AbusedSite, losses: Losses) {
    this.#losses = losses;
    this.#client = new LocalClient(site.url, GOOD_ADDRESS);
    this.#admin = this.#as(site, site.good.admin);
    this.#agent = this.#as(site, site.good.agent);
  }

  /** How long its calls of `GET /identity` took, in milliseconds. */
  get latenciesMs(): readonly number[] {
    return this.#tookMs;
  }

  /** Goes on with another process of the same site. */
  reconnect(site: AbusedSite): void {
    this.#client[Symbol.dispose]();
    this.#client = new LocalClient(site.url, GOOD_ADDRESS);
    this.#admin = this.#as(site, site.good.admin);
    this.#agent = this.#as(site, site.good.agent);
  }

  /** Works until it is told to end. Only the first rounds change what the audit log keeps. */
  workBeside(site: AbusedSite, attack: string, rounds: number): WorkBeside {
    this.#beside = attack;
    let isOver = false;
    const callsBefore = this.#tookMs.length;
    const firstRounds = async (): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        await this.#useMemory();
        await this.#useAccounts(site);
      }
    };
    const enough = firstRounds();
    const further = async (): Promise<void> => {
      await enough;
      while (!isOver && !site.hasEnded) await this.#useMemory();
    };
    const ended = further();
    return {
      enough,
      end: async () => {
        isOver = true;
        await ended;
        return this.#tookMs.slice(callsBefore);
      },
    };
  }

  /** Looks for every acknowledged write, and for the event of every change. */
  async checkAll(): Promise<void> {
    this.#beside = 'the next start';
    await this.#call('query', async () => {
      const missing = new Map(this.#texts);
      for await (const { record_id: id, payload } of this.#agent.memory.in(goodScope).query()) {
        if (missing.get(id) === payload.content.primary) missing.delete(id);
      }
      for (let left = missing.size; left > 0; left -= 1) {
        this.#losses.add('An acknowledged write is missing.');
      }
    });
    await this.#call('audit query', async () => {
      let found = 0;
      for await (const { resource } of this.#admin.audit.query({ eventType: 'user_updated' })) {
        if (resource === `user:${this.#changedId}`) found += 1;
      }
      for (; found < this.#changes; found += 1) {
        this.#losses.add('The event of a change is missing in the audit log.');
      }
    });
  }

  /** Closes its connections. */
  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  async #useMemory(): Promise<void> {
    const text = `text ${this.#texts.size}, written beside ${this.#beside}`;
    await this.#timed();
    const receipt = await this.#call('create', () =>
      this.#agent.memory.in(goodScope).create(recordOf(text)),
    );
    if (receipt === undefined) return;
    const { record_id: id } = receipt;
    this.#texts.set(id, text);
    await this.#timed();
    const record = await this.#call('read', () => this.#agent.memory.in(goodScope).read(id));
    if (record !== undefined && record.payload.content.primary !== text) this.#wrong('read');
    await this.#timed();
    const found = await this.#call('query', () => this.#isFound(id, text));
    if (found === false) this.#wrong('query');
  }

  /** Looks for a record by its text, on as many pages as it takes: each examines 10,000 entries. */
  async #isFound(id: string, text: string): Promise<boolean> {
    const records = this.#agent.memory.in(goodScope).query({ text_contains: text });
    for await (const { record_id: found } of records) if (found === id) return true;
    return false;
  }

  async #useAccounts(site: AbusedSite): Promise<void> {
    const { url } = site;
    const { fetch } = this.#client;
    const login = { username: 'chief', password: PASSWORD, tenantId: GOOD };
    const person = await this.#call('login', () => logIn({ url, fetch, retry: false, ...login }));
    const id = person?.tokens.user_id;
    if (person === undefined || id === undefined) return;
    this.#changedId = id;
    const email = `${this.#changes}@good.test`;
    const changed = await this.#call('change', () => person.agent.users.update(id, { email }));
    if (changed !== undefined) this.#changes += 1;
    await this.#timed();
    const filter = { eventType: 'user_updated', userId: id, limit: 1 } as const;
    const logged = await this.#call('audit query', () => this.#admin.audit.queryPage(filter));
    if (logged !== undefined && logged.events[0]?.resource !== `user:${id}`) {
      this.#wrong('audit query');
    }
    const accounts = await this.#call('list of accounts', () =>
      this.#admin.loginAccounts.listPage({ limit: 100 }),
    );
    if (accounts !== undefined && !accounts.items.some((account) => account.id === id)) {
      this.#wrong('list of accounts');
    }
  }

  /** Calls `GET /identity` and notes how long it took. */
  async #timed(): Promise<void> {
    const startedMs = performance.now();
    const identity = await this.#call('identity', () => this.#admin.whoAmI());
    this.#tookMs.push(performance.now() - startedMs);
    if (identity !== undefined && identity.tenant_id !== GOOD) this.#wrong('identity');
  }

  /** Makes a call; a failure is a loss. */
  async #call<T>(name: string, call: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await call();
      this.calls += 1;
      return answer;
    } catch (error) {
      this.#losses.add(`Beside ${this.#beside}, a call (${name}) failed: ${reasonOf(error)}.`);
      return undefined;
    }
  }

  #wrong(name: string): void {
    this.#losses.add(`Beside ${this.#beside}, a call (${name}) had a wrong answer.`);
  }

  #as({ url }: AbusedSite, secret: string): Agent {
    return connect({ url, secret, fetch: this.#client.fetch, retry: false });
  }
}

/** Returns the code of an error, with its cause, such as a connection that was closed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof AgentkeepError)) return String(error);
  return error.cause instanceof Error ? `${error.code}, ${error.cause.message}` : error.code;
}
