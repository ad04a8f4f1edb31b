/**
 * Attacks with receivers of webhooks: eight tenants have four each, and what they answer keeps a
 * delivery busy or a socket open. Meanwhile the well-behaved tenant gets its own messages.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from '@agentkeep/core';
import { connect } from '@agentkeep/server/client';
import { goodScope, recordOf } from '../abused-site.js';
import type { Attack, Stage } from '../attack.js';
import { GOOD_ADDRESS } from '../good-tenant.js';
import { LocalClient } from '../local-client.js';
import type { WebhookAttack } from '../webhook-owners.js';

const WEBHOOKS_OF_TENANT = 4;
/** Between two writes of a tenant. */
const WRITE_EVERY_MS = 500;
const SLOW_MS = 3_000;
/** Messages that the well-behaved tenant gets meanwhile, and its longest wait at full scale. */
const MESSAGES = 5;
const MESSAGE_MS_MAX = 10_000;
/** Most sockets to one host (docs/contract/webhooks.md#hok-35). */
const SOCKETS_MAX = 32;
const TAKEN = 'HTTP/1.1 204 No Content\r\n\r\n';
const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
const OPEN = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n';

/** A receiver that counts what it has open at once. It ends with the process, not before. */
class RawReceiver {
  readonly #sockets = new Set<Socket>();
  /** Most sockets that were open at once. */
  most = 0;
  requests = 0;

  /** Starts it at an address of this machine; returns its URL. */
  async listen(address: string, answer: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => {
      socket.unref();
      this.#sockets.add(socket);
      this.most = Math.max(this.most, this.#sockets.size);
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
      socket.once('data', () => {
        this.requests += 1;
        answer(socket);
      });
    }).unref();
    server.listen(0, address);
    await once(server, 'listening');
    return `http://${address}:${(server.address() as AddressInfo).port}/`;
  }
}

/** Returns an attack by receivers that answer in this way. */
function receivers(kind: WebhookAttack, name: string, answer: (socket: Socket) => void): Attack {
  const run = async ({ site, amounts, from, enough }: Stage) => {
    using client = new LocalClient(site.url, from);
    const agentOf = (secret: string): Agent =>
      connect({ url: site.url, secret, fetch: client.fetch, retry: false });
    const hostile = new RawReceiver();
    const url = await hostile.listen(from, answer);
    let isOver = false;
    const tenants = site.owners[kind].map(agentOf);
    await Promise.all(tenants.map((agent) => makeWebhooks(agent, name, url)));
    const writing = tenants.map(async (agent) => {
      while (!isOver) {
        await agent.memory.in(goodScope).create(recordOf(name));
        await sleep(WRITE_EVERY_MS);
      }
    });
    const waitMs = MESSAGE_MS_MAX * amounts.patience;
    const violations = await deliverBeside(agentOf(site.good.owner), name, waitMs);
    await enough;
    isOver = true;
    await Promise.all(writing);
    if (hostile.most > SOCKETS_MAX) violations.push(`One host has ${hostile.most} sockets.`);
    if (hostile.requests === 0) violations.push(`No message came to ${name}.`);
    return { attempts: hostile.requests, violations };
  };
  return { name, run };
}

/** Gives the tenant these webhooks instead of those that it had for the attack. */
async function makeWebhooks({ webhooks }: Agent, name: string, url: string): Promise<void> {
  for (const webhook of await webhooks.list()) {
    if (webhook.name.startsWith(name)) await webhooks.delete(webhook.id);
  }
  for (let at = 0; at < WEBHOOKS_OF_TENANT; at += 1) {
    await webhooks.create({ name: `${name} ${at}`, url });
  }
}

/** Writes, and expects a message of each write before the next. */
async function deliverBeside(
  { webhooks, memory }: Agent,
  name: string,
  waitMs: number,
): Promise<string[]> {
  const honest = new RawReceiver();
  const url = await honest.listen(GOOD_ADDRESS, (socket) => socket.end(TAKEN));
  const { webhook } = await webhooks.create({ name: `beside ${name}`, url });
  for (let sent = 1; sent <= MESSAGES; sent += 1) {
    await memory.in(goodScope).create(recordOf(`message ${sent}`));
    const lastMs = Date.now() + waitMs;
    while (honest.requests < sent && Date.now() < lastMs) await sleep(5);
    if (honest.requests < sent) return [`Beside ${name}, a message of a webhook did not arrive.`];
  }
  const { delivery } = await webhooks.get(webhook.id);
  await webhooks.delete(webhook.id);
  const { last_failure: failure } = delivery;
  return failure === null ? [] : [`Beside ${name}, a delivery failed: ${failure.reason}.`];
}

/** All of them. */
export const attacksOnWebhooks: readonly Attack[] = [
  receivers('switching', 'receivers that switch protocols', (socket) => socket.write(SWITCHING)),
  receivers('silent', 'receivers that never answer', () => undefined),
  receivers('open', 'bodies that are left open', (socket) => socket.write(OPEN)),
  receivers('slow', 'slow receivers', (socket) => {
    setTimeout(() => socket.end(TAKEN), SLOW_MS).unref();
  }),
];
