/**
 * Proof: a server that is killed repeatedly under load loses no acknowledged command and applies
 * none twice.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import type { ScopedMemory, ScopeInput } from '@agentkeep/core';
import { connect } from '@agentkeep/server/client';
import { FeedFollower } from '@agentkeep/testkit/feed-follower';
import { type Random, randomFrom } from '@agentkeep/testkit/random';
import { bootstrapTenant, ServerProcess } from '@agentkeep/testkit/server-process';
import type { Finding, ProofProgram, ProofRun } from '../proof.js';
import { checkRecords, commandsAhead, replay, retry, seenBy } from './command-check.js';
import { CommandHistory } from './command-history.js';
import { LoadClient } from './command-load.js';

const KILLS = { short: 3, full: 20 };
const CLIENTS = 32;
const LOAD_MS_MIN = 200;
const LOAD_MS_SPAN = 400;

const privateScope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const scopes: readonly ScopeInput[] = [
  privateScope,
  { ...privateScope, mission_id: 'm', visibility: 'shared' },
];

/** Kills a server under load. */
export const commandKills: ProofProgram = {
  name: 'command kills',
  claim: `A server killed under ${CLIENTS} clients stores every acknowledged command exactly once, and readers of its changes see each once.`,
  run: runKills,
};

async function runKills(run: ProofRun): Promise<Finding> {
  const home = await mkdtemp(join(tmpdir(), 'agentkeep-kill-'));
  const history = new KilledHistory(join(home, 'data'), randomFrom(run.seed));
  const violations: string[] = [];
  try {
    await history.begin();
    for (let kill = 1; kill <= KILLS[run.scale]; kill += 1) {
      run.report(`kill ${kill} of ${KILLS[run.scale]}`);
      await history.killOnce();
    }
    await history.end();
  } catch (error) {
    if (!(error instanceof assert.AssertionError)) throw error;
    violations.push(error.message);
  } finally {
    await history.stop();
    await rm(home, { recursive: true, force: true });
  }
  return { done: history.done, violations };
}

/** A directory with its server and its acknowledged commands. */
class KilledHistory {
  readonly #dataDir: string;
  readonly #random: Random;
  readonly #history = new CommandHistory();
  readonly #clients: readonly LoadClient[];
  /** Follow the changes all along: one goes on where it stopped, one begins anew each time. */
  readonly #follower = new FeedFollower();
  #server: ServerProcess | undefined;
  #url = '';
  #secret = '';
  #kills = 0;
  /** Number of commands that were committed but not answered before a kill. */
  #ahead = 0;

  constructor(dataDir: string, random: Random) {
    this.#dataDir = dataDir;
    this.#random = random;
    this.#clients = Array.from({ length: CLIENTS }, (_, index) => {
      const own = randomFrom(random(0x1_0000_0000));
      return new LoadClient(`client-${index}`, scopes[index % scopes.length]!, own);
    });
  }

  get done(): Finding['done'] {
    const { acknowledged, records } = this.#history;
    return {
      kills: this.#kills,
      'acknowledged commands': acknowledged.length,
      records: records.size,
      'committed without an answer': this.#ahead,
    };
  }

  /** Starts the first server and issues the shared credential of all clients. */
  async begin(): Promise<void> {
    const adminSecret = bootstrapTenant(this.#dataDir, 'acme');
    await this.#start();
    const admin = connect({ url: this.#url, secret: adminSecret });
    const { secret } = await admin.credentials.issue({
      subject_id: 's',
      capabilities: ['memory_read', 'memory_write'],
      grants: [...scopes],
    });
    this.#secret = secret;
  }

  /** Kills the server under load, then checks the next one. */
  async killOnce(): Promise<void> {
    const history = this.#history;
    const before = history.acknowledged.length;
    const loaded = this.#memory;
    // The countdown begins with the first answer, so that slow machines get the same load.
    await this.#clients[0]!.step(loaded, history);
    const load = Promise.all(this.#clients.map((client) => client.run(loaded, history)));
    const following = this.#followUntilKilled(loaded);
    // The moment of the kill varies. A load that ends earlier means that the server crashed.
    await Promise.race([load, pass(LOAD_MS_MIN + this.#random(LOAD_MS_SPAN))]);
    assert.equal(await this.#server?.kill(), 'SIGKILL', 'The server ended by itself.');
    const killedAt = Date.now();
    await Promise.all([load, following]);
    this.#kills += 1;
    const fresh = history.acknowledged.slice(before);

    await this.#start();
    const memory = this.#memory;
    const ahead = commandsAhead(history, await seenBy(memory, scopes));
    await replay(memory, fresh);
    await retry(memory, history, { ahead, killedAt });
    const touched = history.acknowledged.slice(before).map(({ receipt }) => receipt.record_id);
    await checkRecords(memory, history, touched, scopes);
    this.#ahead += ahead.size;
    await this.#checkChanges();
  }

  /** Reads changes until the server is killed. */
  async #followUntilKilled(memory: ScopedMemory): Promise<void> {
    try {
      for (;;) await this.#follower.readPage(memory, 32, 100);
    } catch {
      // The next server goes on from the cursor.
    }
  }

  /** Checks that each reader has seen every acknowledged command once and in order. */
  async #checkChanges(): Promise<void> {
    const fresh = new FeedFollower();
    for (const follower of [this.#follower, fresh]) {
      await follower.readAll(this.#memory);
      follower.expect(
        this.#history.acknowledged.map(({ receipt }) => [receipt.record_id, receipt.revision]),
      );
      assert.deepEqual(follower.violations, [], 'The change feed is wrong.');
    }
    const [seen, anew] = [this.#follower, fresh].map((follower) =>
      follower.seen.map(({ record_id, revision }) => `${record_id} ${String(revision)}`),
    );
    assert.deepEqual(seen, anew, 'A reader that went on saw other changes than a new one.');
  }

  /** Checks everything again, and that the last server shuts down cleanly. */
  async end(): Promise<void> {
    await replay(this.#memory, this.#history.acknowledged);
    await checkRecords(this.#memory, this.#history, [], scopes);
    assert.equal(await this.#server?.stop(), 0, 'The server did not shut down cleanly.');
  }

  /** Kills the server if it still runs. */
  async stop(): Promise<void> {
    await this.#server?.kill();
  }

  get #memory() {
    return connect({ url: this.#url, secret: this.#secret, retry: false }).memory;
  }

  async #start(): Promise<void> {
    this.#server = new ServerProcess(this.#dataDir);
    this.#url = await this.#server.listens();
  }
}
