/**
 * Hooks of coding agents, their helper and the server are killed: no text is lost or stored twice.
 */
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { randomFrom } from '@agentkeep/testkit/random';
import { Machine } from './coding-agents-fixture.js';
import { AGENT, prompt, servedFor, stop } from './coding-agents-server.js';

/** Turns of a session, each with a prompt and an answer. */
const TURNS = 25;

/** Kills a process when something changes in a folder: a hook right after it wrote there. */
function killAt(child: ChildProcess, folder: string): FSWatcher {
  return watch(folder, () => child.kill('SIGKILL'));
}

test('each acknowledged text is stored once', async () => {
  await using machine = new Machine({ AGENTKEEP_AGENTS_PROMPT_MS: '300' });
  const shop = machine.project('shop');
  const { served, agent } = await servedFor(machine);
  const random = randomFrom(inject('seed'));
  const acknowledged: string[] = [];
  let kills = 0;
  const say = async (event: Readonly<Record<string, unknown>>, said: string): Promise<void> => {
    const child = machine.start(['hook', 'claude-code']);
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(event));
    const folders = ['spool', 'sessions', 'days'].map((name) => join(machine.agents, name));
    const folder = folders[random(6)];
    const watcher = folder === undefined ? undefined : killAt(child, folder);
    if (random(10) === 0) child.kill('SIGKILL');
    await once(child, 'close');
    watcher?.close();
    if (child.exitCode !== 0) {
      kills += 1;
      // A host that calls the hook again for the same turn stores nothing twice.
      await machine.hook(event);
    }
    acknowledged.push(said);
    if (random(10) < 3) for (const pid of machine.helpers()) process.kill(pid, 'SIGKILL');
    if (random(10) < 2) await served.stop().then(() => served.start());
  };
  for (let turn = 0; turn < TURNS; turn += 1) {
    const [asked, answered] = [`Question ${turn} is this.`, `Answer ${turn} is that.`];
    await say(prompt(shop, 's1', `t${turn}`, asked), asked);
    await say(stop(shop, 's1', `t${turn}`, answered), answered);
  }
  expect(kills).toBeGreaterThan(TURNS / 4);
  await machine.hook({ session_id: 's1', cwd: shop, hook_event_name: 'SessionStart' });
  await eventually(() => expect(machine.waiting()).toEqual([]));
  const texts: string[] = [];
  for await (const { payload } of agent.memory.in(AGENT.grants[0]!).query({})) {
    texts.push(payload.content.primary);
  }
  expect(texts.toSorted()).toEqual(acknowledged.toSorted());
  await served.stop();
  await served.keep.close();
});
