/** A server that makes embeddings with the real package, and what a kill leaves. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@agentkeep/client';
import { bootstrapTenant, startCommand } from '@agentkeep/testkit/agentkeep-process';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';

let home: string;
let dataDir: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agentkeep-meaning-'));
  dataDir = join(home, 'data');
});
afterEach(() => rmSync(home, { recursive: true }));

/** Serves with the option from the environment; returns the address and the process. */
async function served() {
  const words = ['serve', '--port', '0', '--data-dir', dataDir];
  const child = startCommand(words, { HOME: home, AGENTKEEP_MEANING: 'true' });
  let log = '';
  child.stderr!.on('data', (chunk: Buffer) => (log += chunk.toString()));
  child.stdout!.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const url = await eventually(() => {
    const [, found] = /"url":"(http:[^"]+)"/.exec(log) ?? [];
    if (found === undefined) throw new Error(`It doesn't listen yet: ${log}`);
    return found;
  });
  return { child, url };
}

const TEXTS = 60;
const textOf = (index: number): string =>
  `Note ${index}: the ${['dog', 'ship', 'violin', 'bakery'][index % 4]!} of our neighbour.`;

test('OPR-140, SEA-80 a server that is killed while it embeds goes on after its start', async () => {
  const secret = bootstrapTenant(dataDir, 'acme');
  const kills = [inject('seed') % 6, 3, 5];
  let serving = await served();
  const admin = connect({ url: serving.url, secret });
  const { secret: key } = await admin.credentials.issue({
    subject_id: 'ann',
    capabilities: ['memory_read', 'memory_write'],
    grants: [{ project_id: 'p', agent_id: 'a', visibility: 'shared' }],
  });
  const agentAt = (url: string) => connect({ url, secret: key });
  for (let index = 0; index < TEXTS; index += 1) {
    await agentAt(serving.url).memory.remember(textOf(index), { name: `n${index}` });
    if (kills.some((kill) => index === 10 * kill)) {
      serving.child.kill('SIGKILL');
      await once(serving.child, 'exit');
      serving = await served();
    }
  }
  serving.child.kill('SIGKILL');
  await once(serving.child, 'exit');
  serving = await served();
  try {
    const { memory } = agentAt(serving.url);
    await eventually(async () => {
      const missing = await memory.count({ embedded: false, name_prefix: 'n' }, {});
      const space = { space: 'use-lite-en', limit: 100 };
      const { matches } = await memory.searchPage({ embedded: true }, space);
      expect([missing.matches, matches.length]).toEqual([TEXTS, TEXTS]);
    });
    for (const index of [0, 21, 42, 59]) {
      const near = { order: 'nearest', vector: { text: textOf(index) }, limit: 1 } as const;
      const { matches, text_embedding: state } = await memory.searchPage({}, near);
      expect([state, matches[0]?.record.payload.content.primary]).toEqual(['made', textOf(index)]);
      expect(matches[0]?.distance).toBeLessThan(0.001);
    }
    // No word of the question is in the text.
    await memory.remember('The car is in the garage for repairs.');
    await eventually(async () => {
      const [best] = await memory.recall('Which vehicle is broken?');
      expect(best?.text).toBe('The car is in the garage for repairs.');
    });
  } finally {
    serving.child.kill('SIGTERM');
    await once(serving.child, 'exit');
  }
  expect(serving.child.exitCode).toBe(0);
});
