/** The names of instruments follow the rule of OpenTelemetry on plurals. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { expect, test } from 'vitest';
import { keepReadings } from './keep-readings.js';

test('PLT-41 only the last word of a counter of things is plural', async () => {
  const home = await mkdtemp(join(tmpdir(), 'agentkeep-names-'));
  const keep = await openKeep({
    dataDir: join(home, 'data'),
    replicateTo: join(home, 'target'),
    textEmbedder: { space: 'none', embed: (texts) => Promise.resolve(texts.map(() => [])) },
  });
  try {
    const { list } = keepReadings(keep);
    expect(list.length).toBeGreaterThan(20);
    for (const { instrument, kind, unit } of list) {
      const words = instrument.split('.');
      const last = words.pop();
      expect(words, instrument).not.toContainEqual(expect.stringMatching(/s$/u));
      const countsThings = kind === 'total' && unit.startsWith('{');
      expect(last?.endsWith('s'), instrument).toBe(countsThings);
    }
  } finally {
    await keep.close();
    await rm(home, { recursive: true });
  }
});
