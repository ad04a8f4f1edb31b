/** `agentkeep memory consolidate`: what a person said becomes proposals of the project. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { expect, test } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { Machine } from './coding-agents-fixture.js';
import { AGENT, prompt, servedFor } from './coding-agents-server.js';

/** A model that makes a fact of each text, in a list, and repeats a secret. */
const MODEL = `
import { text } from 'node:stream/consumers';
const asked = await text(process.stdin);
const said = asked.split('\\n').filter((line) => line.startsWith('We '));
for (const line of said) console.log('- Fact: ' + line);
console.log('password: hunter2hunter2');
`;

test('CMD-48 the lines of a model command wait for a review in the shared scope', async () => {
  await using machine = new Machine();
  const shop = machine.project('shop');
  const { served, agent } = await servedFor(machine);
  const [own, shared] = [AGENT.grants[0]!, AGENT.grants[1]!];
  await machine.hook(prompt(shop, 's1', 't1', 'We deploy on Fridays.'));
  await machine.hook(prompt(shop, 's1', 't2', 'We use tabs.'));
  await eventually(() => expect(machine.waiting()).toEqual([]));
  const file = join(machine.home, 'model.mjs');
  writeFileSync(file, MODEL);
  const words = ['memory', 'consolidate', '--model-command', `${execPath} ${file}`];

  const failed = await machine.run([...words.slice(0, 3), '/nowhere/model'], { cwd: shop });
  expect([failed.status, failed.error]).toEqual([
    1,
    expect.stringContaining('/nowhere/model could not be started'),
  ]);
  const { status, out, error } = await machine.run(words, { cwd: shop });
  expect([status, error]).toEqual([0, '']);
  expect(out).toBe('3 facts of keep.example/acme/shop wait for a review.\n');
  expect((await machine.run(words, { cwd: shop })).out).toBe('Nothing new to propose.\n');
  const single = join(machine.home, 'single.mjs');
  writeFileSync(single, "console.log('One fact.');");
  await machine.hook(prompt(shop, 's2', 't3', 'Tabs, I said.'));
  await eventually(() => expect(machine.waiting()).toEqual([]));
  const one = await machine.run([...words.slice(0, 3), `${execPath} ${single}`], { cwd: shop });
  expect(one.out).toBe('1 fact of keep.example/acme/shop waits for a review.\n');

  // Until a review, none is recalled.
  const stored = async (scope: typeof own) => {
    const { records } = await agent.memory.in(scope).queryPage();
    return records.map(({ payload }) => payload.content.primary);
  };
  expect(await stored(shared)).toEqual([]);
  expect(await stored(own)).toHaveLength(3);
  const proposals = [];
  for await (const each of agent.proposals.list({ scope: shared })) proposals.push(each);
  expect(proposals).toHaveLength(2);
  const inside = { ...shared, branch: proposals[0]!.id };
  const { records } = await agent.memory.in(inside).queryPage();
  expect(records.map(({ payload }) => payload.content.primary)).toEqual([
    'Fact: We deploy on Fridays.',
    'Fact: We use tabs.',
    'password: [secret left out]',
  ]);
  expect(records[0]?.payload).toMatchObject({
    source: 'model',
    tags: ['coding-agent', 'consolidated'],
  });
  expect(records[0]?.payload.derived_from).toHaveLength(2);
  await served.stop();
  await served.keep.close();
});

test('CMD-48 without a model command, or without a server, it says what is missing', async () => {
  await using machine = new Machine();
  const none = await machine.run(['memory', 'consolidate']);
  expect([none.status, none.error]).toEqual([1, expect.stringContaining('--model-command')]);
  const local = await machine.run(['memory', 'consolidate', '--model-command', 'cat']);
  expect([local.status, local.error]).toEqual([
    1,
    expect.stringContaining('review needs a server'),
  ]);
});
