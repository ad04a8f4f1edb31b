/**
 * One round: clients with known receipts, followers of changes, a webhook, and a credential that is
 * revoked while a fault lasts.
 */
import { setTimeout as pass } from 'node:timers/promises';
import { AgentkeepError, type ScopeInput } from '@agentkeep/core';
import { connect } from '@agentkeep/server/client';
import { FeedFollower } from '@agentkeep/testkit/feed-follower';
import { type Random, randomFrom } from '@agentkeep/testkit/random';
import { CommandHistory } from '../kills/command-history.js';
import { LoadClient } from '../kills/command-load.js';
import { AnswersSeen, untilAnswered } from './answers-seen.js';
import type { Cluster } from './cluster.js';

const CLIENTS = 8;
const PAUSE_MS = 25;
const PAGE = 64;
const WAIT_MS = 500;
const TIMEOUT_MS = 10_000;
/** How long a call may stay unanswered once the cluster is whole. */
const ANSWER_MS = 60_000;

/** What a round needs. */
export interface RoundParts {
  readonly cluster: Cluster;
  readonly number: number;
  readonly hookUrl: string;
  readonly random: Random;
}

/** The work of one round. */
export class Round {
  readonly history = new CommandHistory();
  readonly seen = new AnswersSeen();
  readonly followers: readonly FeedFollower[];
  readonly scopes: readonly ScopeInput[];
  /** Moments of acknowledgements. */
  readonly acknowledgedAt: number[] = [];
  /** Calls that a revoked credential was allowed after its revocation was answered. */
  allowed = 0;
  /** Calls that it was refused. */
  refused = 0;
  secret = '';
  readonly #parts: RoundParts;
  #hookId = '';
  #victim = { id: '', secret: '', revision: 0 };
  #revokedAt = Infinity;
  #endsAt = Infinity;
  #isPolling = true;
  #work: Promise<unknown>[] = [];
  #polls: Promise<unknown>[] = [];

  constructor(parts: RoundParts) {
    this.#parts = parts;
    const project = { project_id: `round-${String(parts.number)}`, agent_id: 'a' };
    this.scopes = [
      { ...project, visibility: 'private' },
      { ...project, mission_id: 'm', visibility: 'shared' },
    ];
    this.followers = parts.cluster.servers.map(() => new FeedFollower());
  }

  /** The path of its webhook. */
  get path(): string {
    return `/${String(this.#parts.number)}`;
  }

  /** Issues credentials, makes the webhook and starts the clients. */
  async begin(): Promise<void> {
    const { cluster, hookUrl, random } = this.#parts;
    const admin = this.#connect(cluster.servers[0]!, cluster.adminSecret, true);
    const grants = [...this.scopes];
    const issued = await admin.credentials.issue({
      subject_id: 's',
      capabilities: ['memory_read', 'memory_write', 'credential_admin'],
      grants,
    });
    this.secret = issued.secret;
    const victim = await admin.credentials.issue({
      subject_id: 'v',
      capabilities: ['memory_read'],
      grants,
    });
    const { id, revision } = victim.credential;
    this.#victim = { id, secret: victim.secret, revision };
    const owner = this.#connect(cluster.servers[0]!, this.secret, true);
    const url = `${hookUrl}${String(this.#parts.number)}`;
    const { webhook } = await owner.webhooks.create({ name: this.path, url });
    this.#hookId = webhook.id;
    const seeds = Array.from({ length: CLIENTS }, () => random(0x1_0000_0000));
    this.#work = [
      ...seeds.map((seed, at) => this.#runClient(at, seed)),
      ...cluster.servers.map((address, at) => this.#follow(address, this.followers[at]!)),
    ];
    const addresses = [...cluster.servers, ...cluster.balancers];
    this.#polls = addresses.map((address) => this.#pollVictim(address));
  }

  /** Waits for acknowledgements from now on. Returns false if they take too long. */
  async acknowledges(count: number, ms: number): Promise<boolean> {
    const enough = this.acknowledgedAt.length + count;
    const until = performance.now() + ms;
    while (this.acknowledgedAt.length < enough) {
      if (performance.now() > until) return false;
      await pass(50);
    }
    return true;
  }

  /** Revokes the credential of the round, as soon as a server can. */
  async revoke(): Promise<void> {
    const { cluster } = this.#parts;
    let isRepeated = false;
    const what = { seen: this.seen, what: 'A revocation', until: () => this.#endsAt };
    await untilAnswered(cluster.balancers, what, async (url) => {
      const admin = this.#connect(url, cluster.adminSecret);
      try {
        await admin.credentials.revoke(this.#victim.id, this.#victim.revision);
      } catch (error) {
        // A revocation whose answer was lost has ended the credential: the repeat is refused.
        const code = error instanceof AgentkeepError ? error.code : '';
        const isDone = isRepeated && ['forbidden', 'revision_conflict'].includes(code);
        isRepeated = true;
        if (!isDone) throw error;
      }
    });
    this.#revokedAt = performance.now();
  }

  /** Ends the clients once their last commands are answered, then all other work. */
  async end(): Promise<void> {
    this.#endsAt = performance.now() + ANSWER_MS;
    this.#isPolling = false;
    await Promise.all([...this.#work, ...this.#polls]);
  }

  /** A client of its memory at an address. It sends calls again if the judge asks. */
  memoryAt(url: string, retries = false) {
    return this.#connect(url, this.secret, retries).memory;
  }

  /** Removes the webhook. */
  async forget(): Promise<void> {
    const url = this.#parts.cluster.servers[0]!;
    await this.#connect(url, this.secret, true).webhooks.delete(this.#hookId);
  }

  #connect(url: string, secret: string, retries = false) {
    const retry = retries ? {} : false;
    return connect({ url, secret, retry, timeoutMillis: TIMEOUT_MS });
  }

  async #runClient(at: number, seed: number): Promise<void> {
    const { cluster, number } = this.#parts;
    const scope = this.scopes[at % this.scopes.length]!;
    const client = new LoadClient(`r${String(number)}-${String(at)}`, scope, randomFrom(seed));
    const clock = { seen: this.seen, what: 'A command', until: () => this.#endsAt };
    const urls = at % 2 === 0 ? cluster.balancers : cluster.balancers.toReversed();
    while (this.#endsAt === Infinity) {
      const command = client.next(this.history);
      const receipt = await untilAnswered(urls, clock, (url) =>
        this.history.run(this.memoryAt(url), command),
      );
      this.history.unanswered.delete(command);
      if (receipt !== undefined) {
        client.note(command, receipt);
        this.acknowledgedAt.push(performance.now());
      }
      await pass(PAUSE_MS);
    }
  }

  async #follow(address: string, follower: FeedFollower): Promise<void> {
    while (this.#endsAt === Infinity) {
      try {
        await follower.readPage(this.memoryAt(address), PAGE, WAIT_MS);
      } catch (error) {
        if (!this.seen.mayRetry(error, 'Following changes')) return;
        await pass(100);
      }
    }
  }

  async #pollVictim(address: string): Promise<void> {
    while (this.#isPolling) {
      const began = performance.now();
      const { secret } = this.#victim;
      try {
        await this.#connect(address, secret).whoAmI();
        if (began > this.#revokedAt) this.allowed += 1;
      } catch (error) {
        const isRefused =
          error instanceof Error && 'code' in error && error.code === 'unauthorized';
        if (isRefused) this.refused += 1;
        else this.seen.mayRetry(error, 'A call');
      }
      await pass(50);
    }
  }
}
