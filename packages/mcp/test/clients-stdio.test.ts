/** Clients of both SDKs call the tools over standard input, of a keep and of a server. */
import { describe, expect, test } from 'vitest';
import { clientKinds, connectClient } from './clients.js';
import { ways } from './keep-fixture.js';
import { served, stdioProgram } from './served.js';

const record = {
  episode_type: 'Observation',
  content: { primary: 'The customer prefers short answers.' },
  event_time_millis: 0,
};

describe.each(ways)('%s', (way) => {
  test.each(clientKinds)('%s over standard input', async (kind) => {
    await using server = await served();
    await using client = await connectClient(kind, await stdioProgram(way, server, 'agentkeep'));
    const names = (await client.tools()).map(({ name }) => name);
    expect(names).toContain('memory_put');
    const put = await client.call('memory_put', { name: 'ann', record });
    expect(put.structuredContent).toMatchObject({ receipt: { action: 'created', revision: 1 } });
    const found = await client.call('memory_get', { name: 'ann' });
    expect(found.structuredContent).toMatchObject({ record: { name: 'ann', revision: 1 } });
    const [first] = await client.resources();
    expect(await client.read(first?.uri ?? '')).toContain('short answers');
  });
});
