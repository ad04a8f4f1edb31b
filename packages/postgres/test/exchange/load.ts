/**
 * What goes on while servers are exchanged: writers with an API key and with a session, in this
 * version of the client and in the next one, and readers of every kind.
 */
import { EventEmitter, once } from 'node:events';
import { expect } from 'vitest';
import type { Agent, ScopeInput } from '@agentkeep/core';
import { connect, logIn } from '@agentkeep/server/client';
import { eventually } from '@agentkeep/testkit/eventually';
import {
  consumerReader,
  feedReader,
  pageReader,
  type Reader,
  type Seen,
  streamReader,
} from './readers.js';
import { WebhookReceiver } from './receiver.js';

export const SCOPE: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };

const CALLERS = 8;
export const COMMANDS_BETWEEN = 20;
const retry = { tries: 100, totalMillis: 120_000, longestWaitMillis: 1_500 };

/** A client of some version. */
export interface ClientVersion {
  readonly connect: typeof connect;
  readonly logIn: typeof logIn;
}

/** Who calls which servers. */
export interface LoadOptions {
  readonly urls: readonly string[];
  /** The secret of a credential that may read, write and make webhooks. */
  readonly secret: string;
  /** A person with the same rights. */
  readonly person: { readonly username: string; readonly password: string };
  readonly next: ClientVersion;
}

/** Callers of servers that are exchanged. */
export class Load {
  /** Keys of commands, with the ids of their records. */
  readonly acknowledged = new Map<string, string>();
  /** What reached a caller. */
  readonly refusals = new Set<string>();
  /** Codes of the answers that were no success, also of those that were repeated. */
  readonly codes = new Set<string>();
  readonly webhook = new WebhookReceiver();
  readonly #options: LoadOptions;
  readonly #seen = ['feed', 'feed of the next client', 'consumer', 'stream'].map((name): Seen => ({
    name,
    records: [],
  }));
  readonly #progress = new EventEmitter();
  readonly #over = new AbortController();
  readonly #readersOver = new AbortController();
  #running: Promise<void>[] = [];
  #reading: Promise<void>[] = [];
  #pages: ReturnType<typeof pageReader> | undefined;
  #stream: ReturnType<typeof streamReader> | undefined;
  #turn = 0;
  #worstMs = 0;
  renewals = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** Begins all. */
  async start(): Promise<void> {
    const { urls, secret, person, next } = this.#options;
    // One client has all addresses; the other has a balancer, which takes another at each try.
    const balanced = { url: urls[0]!, fetch: this.#balanced, retry };
    const listed = { url: [...urls], fetch: this.#noted, retry };
    const login = { ...person, tenantId: 'acme' };
    const old = connect({ ...balanced, secret });
    const later = next.connect({ ...listed, secret });
    const sessions = [
      (await logIn({ ...listed, ...login })).agent,
      (await next.logIn({ ...balanced, ...login })).agent,
    ];
    await this.webhook.start(urls[0]!, secret);
    const [feed, feedOfNext, consumer, stream] = this.#seen;
    this.#pages = pageReader(later.memory.in(SCOPE), () => [...this.acknowledged.values()]);
    this.#stream = streamReader(urls, secret, stream!);
    this.#read('feed', feedReader(old, feed!));
    this.#read('feed of next', feedReader(later, feedOfNext!));
    this.#read('consumer', consumerReader(sessions[0]!, consumer!));
    this.#read('pages', this.#pages.read);
    this.#read('stream', this.#stream.read);
    const agents = [old, later, ...sessions];
    this.#running = Array.from({ length: CALLERS }, (_, index) =>
      this.#write(`c${String(index)}`, agents[index % agents.length]!, index >= CALLERS - 2),
    );
  }

  /** Resolves once more commands were acknowledged. */
  async more(): Promise<void> {
    const enough = this.acknowledged.size + COMMANDS_BETWEEN;
    while (this.acknowledged.size < enough && this.refusals.size === 0) {
      await once(this.#progress, 'acknowledged');
    }
  }

  /** Ends the writers, waits until each reader has all, and checks what they saw. */
  async end(): Promise<string> {
    this.#over.abort();
    await Promise.all(this.#running);
    const all = [...this.acknowledged.values()].toSorted();
    const seen = [...this.#seen, { name: 'webhook', records: this.webhook.records }];
    await eventually(() => {
      for (const { name, records } of seen) {
        const found = new Set(records);
        const lacking = all.filter((id) => !found.has(id));
        expect({ name, lacking, refusals: [...this.refusals] }).toMatchObject({ lacking: [] });
      }
    });
    this.#readersOver.abort();
    await Promise.all(this.#reading);
    this.webhook.close();
    expect([...this.refusals]).toEqual([]);
    for (const { name, records } of seen) {
      expect({ name, records: records.toSorted() }).toEqual({ name, records: all });
    }
    expect(this.webhook.violations).toEqual([]);
    expect(this.#pages?.violations).toEqual([]);
    const may = ['server_stopping', 'store_unavailable'];
    expect([...this.codes].filter((code) => !may.includes(code))).toEqual([]);
    return [
      `${String(all.length)} commands, the slowest took ${String(Math.round(this.#worstMs))} ms`,
      `${String(this.#stream?.endings())} streams were told to come again`,
      `${String(this.#pages?.walks())} walks over all pages`,
      `${String(this.renewals)} sessions renewed`,
      `${String(this.webhook.repeated)} messages came again`,
      `refused and repeated: ${[...this.codes].join(', ')}`,
    ].join('; ');
  }

  #read(name: string, reader: Reader): void {
    const read = reader(this.#readersOver.signal).catch((error: unknown) => {
      this.refusals.add(`${name}: ${String(error)}`);
      this.#progress.emit('acknowledged');
    });
    this.#reading.push(read);
  }

  async #write(name: string, agent: Agent, isSession: boolean): Promise<void> {
    for (let number = 0; !this.#over.signal.aborted; number += 1) {
      const idempotencyKey = `${name}-${String(number)}`;
      const beganMs = performance.now();
      try {
        const { record_id } = await agent.memory
          .in(SCOPE)
          .create(recordOf(idempotencyKey), { idempotencyKey });
        this.acknowledged.set(idempotencyKey, record_id);
        if (isSession && number % 10 === 9) {
          await agent.session.refresh();
          this.renewals += 1;
        }
      } catch (error) {
        this.refusals.add(`${name}: ${String(error)}`);
      }
      this.#worstMs = Math.max(this.#worstMs, performance.now() - beganMs);
      this.#progress.emit('acknowledged');
    }
  }

  /** Another server at each try, as a load balancer does. */
  readonly #balanced = (url: string, init: RequestInit): Promise<Response> => {
    const { urls } = this.#options;
    this.#turn += 1;
    return this.#noted(url.replace(urls[0]!, urls[this.#turn % urls.length]!), init);
  };

  readonly #noted = async (url: string, init: RequestInit): Promise<Response> => {
    const answer = await fetch(url, init);
    if (answer.ok) return answer;
    const { error } = (await answer.clone().json()) as { error?: { code: string } };
    this.codes.add(error?.code ?? String(answer.status));
    return answer;
  };
}

function recordOf(primary: string) {
  return { episode_type: 'Observation' as const, content: { primary }, event_time_millis: 0 };
}
