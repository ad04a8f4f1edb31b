/**
 * Receivers of webhooks that a tenant chose to hold the server up: they delay nobody else, keep no
 * socket, and don't hold up the end of the server.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Agent, type Keep, openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import { eventually } from '@agentkeep/testkit/eventually';
import { NameServer } from '@agentkeep/testkit/name-server';
import { testStore } from '@agentkeep/testkit/test-store';
import { afterEach, describe, expect, test } from 'vitest';
import { hostAddresses } from '../../src/outgoing/host-addresses.js';
import {
  httpWebhookSender,
  type HttpWebhookSenderOptions,
} from '../../src/webhooks/http-webhook-sender.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };
const record = {
  episode_type: 'Observation' as const,
  content: { primary: 'x' },
  event_time_millis: 0,
};
const WEBHOOKS_OF_TENANT = 4;
const TAKEN = 'HTTP/1.1 204 No Content\r\n\r\n';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A receiver on loopback that sends what it likes once a request begins. */
class RawReceiver {
  readonly sockets = new Set<Socket>();
  /** Requests that began. */
  requests = 0;
  readonly #server: Server;

  constructor(answer: (socket: Socket) => void) {
    this.#server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      socket.once('data', () => {
        this.requests += 1;
        answer(socket);
      });
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    closing.push(async () => {
      for (const socket of this.sockets) socket.destroy();
      await new Promise((resolve) => this.#server.close(resolve));
    });
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/`;
  }
}

async function keepWith(options: HttpWebhookSenderOptions = {}): Promise<Keep> {
  const webhookSender = httpWebhookSender({ allowedAddresses: ['127.0.0.1'], ...options });
  const keep = await openKeep({ store: testStore(), passwords: quickPasswords, webhookSender });
  closing.push(() => keep.close());
  return keep;
}

function agentOf(keep: Keep, tenantId: string): Promise<Agent> {
  return agentFor(keep, {
    tenantId,
    subjectId: 'ops',
    scopes: [scope],
    capabilities: ['memory_read', 'memory_write', 'credential_admin'],
  });
}

/** Makes a tenant with webhooks at an address and a change that they want. */
async function attacker(keep: Keep, tenantId: string, urls: readonly string[]): Promise<Agent> {
  const agent = await agentOf(keep, tenantId);
  for (const [at, url] of urls.entries()) {
    await agent.webhooks.create({ name: `hook ${String(at)}`, url });
  }
  await agent.memory.in(scope).create(record);
  return agent;
}

/** Whether a tenant of its own gets its messages meanwhile. */
async function servesBeside(keep: Keep, urlOf: (honest: string) => string = String) {
  const receiver = new RawReceiver((socket) => socket.end(TAKEN));
  const url = urlOf(await receiver.listen());
  const agent = await attacker(keep, 'honest', [url]);
  const [webhook] = await agent.webhooks.list();
  await eventually(async () => {
    const { delivery } = await agent.webhooks.get(webhook?.id ?? '');
    expect(delivery).toMatchObject({ delivered_messages: 1, last_failure: null });
  });
}

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';

describe('receivers of eight tenants with four webhooks each', () => {
  test.each([
    ['that never answer', ''],
    ['that switch protocols', SWITCHING],
    ['that announce an answer for ever', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['that never end their head', 'HTTP/1.1 200 OK\r\nX: '],
    ['that leave their body open', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'],
  ])('HOK-C14 %s delay no other tenant, nor the end of the server', async (_, bytes) => {
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const keep = await keepWith({ resolve });
    const receiver = new RawReceiver((socket) => socket.write(bytes));
    const url = await receiver.listen();
    for (let at = 0; at < 8; at += 1) {
      const own = url.replace('127.0.0.1', `bad-${String(at)}.example.test`);
      const urls = Array.from({ length: WEBHOOKS_OF_TENANT }, () => own);
      await attacker(keep, `bad ${String(at)}`, urls);
    }
    await eventually(() => {
      expect(receiver.requests).toBeGreaterThanOrEqual(8 * WEBHOOKS_OF_TENANT);
    });
    await servesBeside(keep);
    await keep.close();
    await eventually(() => {
      expect(receiver.sockets.size).toBe(0);
    });
  });
});

test.each([
  ['that switches protocols', SWITCHING],
  ['with a status above those of HTTP', 'HTTP/1.1 999 No\r\n\r\n'],
])('HOK-C14 a receiver %s is a failure of the protocol, and tried again', async (_, bytes) => {
  const keep = await keepWith();
  const receiver = new RawReceiver((socket) => socket.write(bytes));
  const agent = await attacker(keep, 'bad', [await receiver.listen()]);
  await eventually(async () => {
    const [webhook] = await agent.webhooks.list();
    const failed = { state: 'retrying', last_failure: { reason: 'protocol', status: null } };
    expect(webhook?.delivery).toMatchObject(failed);
  });
});

test('bodies that are left open hold no socket', async () => {
  const keep = await keepWith();
  const open = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n';
  const receiver = new RawReceiver((socket) => socket.write(open));
  const url = await receiver.listen();
  await attacker(
    keep,
    'bad',
    Array.from({ length: 32 }, () => url),
  );
  await eventually(() => {
    expect([receiver.requests, receiver.sockets.size]).toEqual([32, 0]);
  });
});

test('HOK-C15 names that no server answers delay no other tenant', async () => {
  await using names = new NameServer(['honest.example.test']);
  const { asked } = names;
  const servers = [await names.listen()];
  await using keep = await keepWith({ resolve: hostAddresses({ servers }) });
  const urls = Array.from({ length: 32 }, (_, at) => `http://silent-${String(at)}.example.test/`);
  await attacker(keep, 'bad', urls);
  await eventually(() => {
    expect(new Set(asked).size).toBeGreaterThanOrEqual(WEBHOOKS_OF_TENANT);
  });
  await servesBeside(keep, (url) => url.replace('127.0.0.1', 'honest.example.test'));
  // The other names of the tenant wait for their turn.
  expect(new Set(asked).size).toBe(WEBHOOKS_OF_TENANT + 1);
});
