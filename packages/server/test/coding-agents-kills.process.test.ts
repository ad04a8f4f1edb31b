/**
 * Hooks of coding agents, their helper and the server are killed: no text is lost or stored twice.
 * `AGENTKEEP_TURNS` names another number of turns for each memory.
 */
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type FSWatcher, watch, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { env, stdout } from 'node:process';
import { connect } from '@agentkeep/client';
import { openKeep } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { expect, inject, test } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { freePort } from '@agentkeep/testkit/free-port';
import { type Random, randomFrom } from '@agentkeep/testkit/random';
import { bootstrapTenant, ServerProcess } from '@agentkeep/testkit/server-process';
import { killIfThere, Machine } from './coding-agents-fixture.js';
import { AGENT, prompt, stop } from './coding-agents-server.js';

/** Turns of sessions, each with a prompt and an answer. */
const TURNS = Number(env['AGENTKEEP_TURNS'] ?? 15);
/** Turns of one session. */
const SESSION_TURNS = 5;
/** Of a hundred hooks. */
const HOOK_KILLS = 10;
const [scope] = AGENT.grants;

/** The memory that hooks store in. */
interface TestedMemory extends AsyncDisposable {
  /** Kills the server, if there is one, and starts it again. */
  readonly kill: () => Promise<void>;
  /** Returns all texts that are stored. */
  readonly texts: () => Promise<readonly string[]>;
}

/** A store of the machine, which the helper opens. */
function storeOf(machine: Machine): Promise<TestedMemory> {
  const texts = async (): Promise<readonly string[]> => {
    await machine.killHelpers();
    await using keep = await openKeep({ dataDir: join(machine.agents, 'keep') });
    const subject = `${userInfo().username.slice(0, 32)}@${scope!.project_id}`;
    const agent = await agentFor(keep, { subject, scopes: [scope!] });
    return await textsOf(agent);
  };
  const nothing = () => Promise.resolve();
  return Promise.resolve({ kill: nothing, texts, [Symbol.asyncDispose]: nothing });
}

/** A server with a process of its own. */
async function serverFor(machine: Machine): Promise<TestedMemory> {
  const dataDir = join(machine.home, 'served');
  const secret = bootstrapTenant(dataDir, 'acme');
  const words = ['--port', String(await freePort())];
  let server = new ServerProcess(dataDir, { words });
  const url = await server.listens();
  const { secret: own } = await connect({ url, secret }).credentials.issue(AGENT);
  const file = join(machine.home, 'secret');
  writeFileSync(file, own, { mode: 0o600 });
  await machine.run(['install', 'claude-code', '--server', url, '--secret-file', file]);
  return {
    kill: async () => {
      await server.kill();
      server = new ServerProcess(dataDir, { words });
      await server.listens();
    },
    texts: () => textsOf(connect({ url, secret: own })),
    [Symbol.asyncDispose]: async () => {
      await server.kill();
    },
  };
}

async function textsOf({ memory }: ReturnType<typeof connect>): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const { payload } of memory.in(scope!).query({})) texts.push(payload.content.primary);
  return texts;
}

/** Kills a process when something changes in a folder: a hook right after it wrote there. */
function killAt(child: ChildProcess, folder: string): FSWatcher {
  return watch(folder, () => child.kill('SIGKILL'));
}

/** Plays turns and kills, and keeps what was acknowledged. */
class Turns {
  readonly acknowledged: string[] = [];
  /** Texts of hooks that were killed, and not called again. */
  readonly unknown = new Set<string>();
  readonly kills = { hooks: 0, helpers: 0, servers: 0 };
  readonly #machine: Machine;
  readonly #memory: TestedMemory;
  readonly #random: Random;

  constructor(machine: Machine, memory: TestedMemory, random: Random) {
    this.#machine = machine;
    this.#memory = memory;
    this.#random = random;
  }

  async say(event: Readonly<Record<string, unknown>>, said: string): Promise<void> {
    const child = this.#machine.start(['hook', 'claude-code']);
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(event));
    const watcher = this.#watcherFor(child);
    const closed = once(child, 'close');
    if (this.#random(100) < HOOK_KILLS) child.kill('SIGKILL');
    await closed;
    watcher?.close();
    if (child.exitCode === 0) this.acknowledged.push(said);
    else await this.#killed(event, said);
    await this.#killOthers();
  }

  #watcherFor(child: ChildProcess): FSWatcher | undefined {
    const folders = ['spool', 'sessions', 'days'].map((name) => join(this.#machine.agents, name));
    const folder = folders[this.#random(6)];
    return folder === undefined ? undefined : killAt(child, folder);
  }

  /** A host may call the hook again for the same turn, which stores nothing twice. */
  async #killed(event: Readonly<Record<string, unknown>>, said: string): Promise<void> {
    this.kills.hooks += 1;
    if (this.#random(2) === 0) {
      this.unknown.add(said);
      return;
    }
    await this.#machine.hook(event);
    this.acknowledged.push(said);
  }

  async #killOthers(): Promise<void> {
    if (this.#random(10) < 3) {
      // The next hook may meet a helper that still holds the store.
      const helpers = this.#machine.helpers();
      for (const pid of helpers) killIfThere(pid);
      this.kills.helpers += helpers.length;
    }
    if (this.#random(20) > 0) return;
    await this.#memory.kill();
    this.kills.servers += 1;
  }
}

test.each([
  ['a store of the machine', storeOf],
  ['a server', serverFor],
])(
  'CMD-45 in %s, each acknowledged text is stored once',
  { timeout: 3_600_000 },
  async (name, open) => {
    await using machine = new Machine({ AGENTKEEP_AGENTS_PROMPT_MS: '300' });
    const shop = machine.project('shop');
    await using memory = await open(machine);
    await machine.run(['memory', 'today']);
    const turns = new Turns(machine, memory, randomFrom(inject('seed')));
    for (let turn = 0; turn < TURNS; turn += 1) {
      const session = `s${Math.floor(turn / SESSION_TURNS)}`;
      const [asked, answered] = [`Question ${turn} is this.`, `Answer ${turn} is that.`];
      await turns.say(prompt(shop, session, `t${turn}`, asked), asked);
      await turns.say(stop(shop, session, `t${turn}`, answered), answered);
    }
    const { acknowledged, unknown, kills } = turns;
    expect(kills.hooks).toBeGreaterThan(TURNS / 4);
    expect(kills.helpers).toBeGreaterThan(0);
    await machine.hook({ session_id: 's0', cwd: shop, hook_event_name: 'SessionStart' });
    await eventually(() => expect(machine.waiting()).toEqual([]));
    const texts = await memory.texts();
    expect(texts.filter((text) => !unknown.has(text)).toSorted()).toEqual(acknowledged.toSorted());
    expect(new Set(texts).size).toBe(texts.length);
    stdout.write(`${name}: ${TURNS} prompts, ${JSON.stringify(kills)}, ${texts.length} texts.\n`);
  },
);
