/**
 * Clients that ask for long work and leave (OWASP API4:2023): reads end early, and writes are
 * finished.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { inMemoryStore, type Store } from '@agentkeep/core';
import { storeOver } from '@agentkeep/core/testing';
import { expect, test } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import type { ServedApp } from '../../src/lifecycle/adapted-answers.js';
import { startServer } from '../../src/lifecycle/start-server.js';
import type { Logger } from '../../src/log/logger.js';
import { result } from '@agentkeep/contract-cases/answer';
import { createAll } from '@agentkeep/contract-cases/caller';
import { minimalRecord, recordOf, scope } from '@agentkeep/contract-cases/documents';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { tenant } from '@agentkeep/contract-cases/fixture';
import { appOf } from '@agentkeep/contract-cases/http-driver';
import { opened, requestOf } from './raw-server.js';

/** A store whose reads or writes wait at a gate while it is shut. */
function gatedStore() {
  const inner = inMemoryStore();
  const gate = { reads: 0, shut: undefined as 'read' | 'transact' | undefined };
  const waiting: (() => void)[] = [];
  const pass = async (kind: 'read' | 'transact'): Promise<void> => {
    if (gate.shut === kind) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const store: Store = storeOver(inner, {
    read: async (body) => {
      gate.reads += 1;
      await pass('read');
      return inner.read(body);
    },
    transact: async (body) => {
      await pass('transact');
      return inner.transact(body);
    },
  });
  const open = (): void => {
    gate.shut = undefined;
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { store, gate, waiting, open };
}

/** Serves a tenant over a gated store, with everything that is logged. */
async function served() {
  const gated = gatedStore();
  const lines: string[] = [];
  const note = (message: string): void => void lines.push(message);
  const log: Logger = { error: note, warn: note, info: note, debug: note };
  const t = await tenant(drivers[0]!, gated.store, { audit: { enabled: false } });
  const app = appOf(t.keep, { log });
  let left: ServerResponse | undefined;
  const fetch: ServedApp['fetch'] = (request, env) => {
    left = env.outgoing;
    return app.fetch(request, env);
  };
  const server = await startServer({ fetch }, { host: '127.0.0.1', port: 0 });
  const agent = await t.agent();
  const post = (path: string, document: object): string => {
    const body = JSON.stringify({ contract_version: 1, scope, ...document });
    const headers = `Authorization: Bearer ${agent.token}\nContent-Type: application/json\n`;
    return requestOf(`POST ${path}`, `${headers}Content-Length: ${body.length}\n`, body);
  };
  return {
    ...gated,
    ...{ lines, server, agent, post },
    /** Ends the connection, and resolves once the server has noticed. */
    leave: async (client: Socket): Promise<void> => {
      client.destroy();
      await eventually(() => {
        expect(left?.closed).toBe(true);
      });
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await t.keep.close();
    },
  };
}

test('OPR-84 a scan ends before its next slice once its client has left', async () => {
  await using at = await served();
  // 64 entries of 60,000 bytes need eight slices of 524,288 bytes.
  const large = recordOf({ primary: 'a'.repeat(60_000) });
  await createAll(
    at.agent,
    Array.from({ length: 64 }, () => large),
  );
  const client = await opened(at.server);
  at.gate.shut = 'read';
  at.gate.reads = 0;
  client.write(at.post('/api/v1/memory/query', { filter: { text_contains: 'b' } }));
  // The first read proves the caller, the second is the first slice.
  await eventually(() => {
    expect(at.waiting).toHaveLength(1);
  });
  at.waiting.shift()?.();
  await eventually(() => {
    expect(at.waiting).toHaveLength(1);
  });
  expect(at.gate.reads).toBe(2);
  await at.leave(client);
  at.open();
  await eventually(() => {
    expect(at.lines).toContain('request abandoned by its client');
  });
  expect(at.gate.reads).toBe(2);
  expect(at.lines).not.toContain('request failed');
});

test('OPR-84 a write is finished though its client has left', async () => {
  await using at = await served();
  const client = await opened(at.server);
  at.gate.shut = 'transact';
  const operation = { type: 'create', record: minimalRecord };
  const document = { idempotency_key: 'left', operation };
  client.write(at.post('/api/v1/memory/commands', document));
  await eventually(() => {
    expect(at.waiting).toHaveLength(1);
  });
  await at.leave(client);
  at.open();
  await eventually(() => {
    expect(at.lines).toContain('request');
  });
  expect(result(await at.agent.query(scope, {})).page.records).toHaveLength(1);
});
