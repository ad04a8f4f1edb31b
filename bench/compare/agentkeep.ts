/** Agentkeep as a contender: embedded, and served by `startServer` with its log on. */
import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { createServer, jsonLogger, startServer } from '@agentkeep/server';
import { keepWithAgent, scope } from '../fixture.js';
import type { ContenderKind, SampleRecord } from './contender.js';
import { recordOf } from './sample.js';

const FOUND = 20;

interface Remembered {
  readonly secret: string;
  readonly first: string;
}

export const agentkeep: ContenderKind = {
  title: 'Agentkeep',
  isDurable: true,
  http: {
    store: {
      path: '/api/v1/memory/commands',
      body: (record) =>
        JSON.stringify({
          contract_version: 1,
          scope,
          idempotency_key: `http-${String(record.turn)}`,
          operation: { type: 'create', record: recordOf(record) },
        }),
    },
    find: {
      path: '/api/v1/memory/query',
      body: (word) => {
        const filter = { text_contains: word, limit: FOUND };
        return JSON.stringify({ contract_version: 1, scope, filter });
      },
    },
  },
  open: async (directory) => {
    const { keep, agent, secret } = await keepWithAgent({ dataDir: dataIn(directory) });
    const memory = agent.memory.in(scope);
    const ids: string[] = [];
    const store = async (record: SampleRecord): Promise<string> => {
      const options = { idempotencyKey: `turn-${String(record.turn)}` };
      return (await memory.create(recordOf(record), options)).record_id;
    };
    const find = async (filter: { text_contains?: string; tag?: string }): Promise<number> => {
      let found = 0;
      let position = {};
      while (found < FOUND) {
        const page = await memory.queryPage(filter, { ...position, limit: FOUND - found });
        found += page.records.length;
        if (page.next_after === null) break;
        position = { after: page.next_after };
      }
      return found;
    };
    let stop: () => Promise<void> = () => keep.close();
    return {
      import: async (records) => {
        const turns = records.map(({ turn }) => turn).values();
        const options = { idempotencyKey: `import-${String(records[0]?.turn)}` };
        for await (const { outcomes } of memory.createMany(records.map(recordOf), options)) {
          for (const { record_id } of outcomes) ids[turns.next().value ?? 0] = record_id;
        }
      },
      store: async (record) => {
        await store(record);
      },
      read: (index) => memory.read(ids[index] ?? ''),
      find: (word) => find({ text_contains: word }),
      findTag: (tag) => find({ tag }),
      checkKey: async () => (await keep.authenticate(secret)).whoAmI(),
      serve: async () => {
        const file = createWriteStream(join(directory, 'server.log'));
        const log = jsonLogger({ level: 'info', write: (text) => file.write(text) });
        const app = createServer(keep, { rateLimitPolicies: [], log });
        const release = () => keep.close();
        const server = await startServer(app, { host: '127.0.0.1', port: 0, log, release });
        stop = () => server.stop();
        const headers = {
          Authorization: `Bearer ${secret}`,
          'Content-Type': 'application/json',
        };
        return { port: server.port, headers };
      },
      close: async () => {
        const remembered: Remembered = { secret, first: ids[0] ?? '' };
        await writeFile(join(directory, 'first.json'), JSON.stringify(remembered));
        await stop();
      },
    };
  },
  readFirst: async (directory) => {
    const text = await readFile(join(directory, 'first.json'), 'utf8');
    const { secret, first } = JSON.parse(text) as Remembered;
    await using keep = await openKeep({ dataDir: dataIn(directory) });
    const agent = await keep.authenticate(secret);
    return await agent.memory.in(scope).read(first);
  },
};

function dataIn(directory: string): string {
  return join(directory, 'data');
}
