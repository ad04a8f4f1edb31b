/** Webhooks from the commit to the receiver, over real HTTP. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openKeep, type ScopeInput, type WebhookSender } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import { eventually } from '@agentkeep/testkit/eventually';
import { testStore } from '@agentkeep/testkit/test-store';
import { Webhook as Verifier } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { httpWebhookSender } from '../src/index.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };
const record = {
  episode_type: 'Observation' as const,
  content: { primary: 'x' },
  event_time_millis: 0,
};

/** A change as messages show it. */
interface Received {
  readonly record_id: string;
}

/** Takes messages whose signature holds, and answers as the test says. */
class Receiver implements AsyncDisposable {
  readonly arrived: string[] = [];
  readonly #server = createServer((request, response) => void this.#take(request, response));
  /** What becomes of the next messages; then they are taken. */
  readonly plan: ('fails' | 'hangs' | 'lies' | 'cuts')[] = [];
  secret = '';

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/hook`;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const headers = request.headers as Record<string, string>;
    const { data } = new Verifier(this.secret).verify(body, headers) as {
      data: { changes: Received[] };
    };
    const behaviour = this.plan.shift();
    if (behaviour === 'hangs') return;
    if (behaviour !== 'fails') {
      const known = new Set(this.arrived);
      this.arrived.push(
        ...data.changes.map((each) => each.record_id).filter((id) => !known.has(id)),
      );
    }
    if (behaviour === 'cuts') response.destroy();
    else response.writeHead(behaviour === undefined ? 204 : 503).end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

test('a receiver that fails, hangs, cuts off and lies gets everything, in order', async () => {
  await using receiver = new Receiver();
  const url = await receiver.listen();
  const inner = httpWebhookSender({ allowedAddresses: ['127.0.0.1'] });
  // A receiver that hangs is left after 50 ms instead of 15 seconds.
  const webhookSender: WebhookSender = {
    send: (request) =>
      inner.send(receiver.plan[0] === 'hangs' ? { ...request, timeoutMs: 50 } : request),
  };
  const clock = new SlidingClock();
  const ports = { store: testStore(), clock, passwords: quickPasswords, webhookSender };
  await using keep = await openKeep(ports);
  const agent = await agentFor(keep, {
    tenantId: 'acme',
    subjectId: 'ops',
    scopes: [scope],
    capabilities: ['memory_read', 'memory_write', 'credential_admin'],
  });
  receiver.plan.push('fails', 'hangs', 'lies', 'cuts');
  const { webhook, secret } = await agent.webhooks.create({ name: 'a', url });
  receiver.secret = secret;
  const made: string[] = [];
  for (let count = 0; count < 150; count += 1) {
    made.push((await agent.memory.in(scope).create(record)).record_id);
  }
  await eventually(async () => {
    const { delivery } = await agent.webhooks.get(webhook.id);
    // The next attempt is due at once.
    if (delivery.next_attempt_at_millis !== null) clock.moveTo(delivery.next_attempt_at_millis);
    expect(receiver.arrived).toEqual(made);
    expect(delivery).toMatchObject({ state: 'active', last_failure: null });
  });
  expect(receiver.plan).toEqual([]);
});

/** The clock of the machine, moved ahead by the test. */
class SlidingClock {
  #aheadMs = 0;

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  monotonic(): number {
    return performance.now() + this.#aheadMs;
  }

  moveTo(millis: number): void {
    this.#aheadMs = Math.max(this.#aheadMs, millis - Date.now());
  }
}
