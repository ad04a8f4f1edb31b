/** A receiver of webhooks: what was delivered, under which key, and whether it was signed. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CONTRACT_VERSION } from '@agentkeep/core';

/** Takes each message, and forgets those that come again under the same key. */
export class WebhookReceiver {
  /** Records of the messages, once for each key. */
  readonly records: string[] = [];
  /** What was wrong, one sentence each. */
  readonly violations: string[] = [];
  /** Messages that came again. */
  repeated = 0;
  /** Signs the messages, once the webhook is made. */
  #secret = '';
  readonly #keys = new Map<string, string>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  /** Starts it, and makes the webhook that sends to it, with the secret of a credential. */
  async start(server: string, secret: string): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    const answer = await fetch(`${server}/api/v1/webhooks`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        contract_version: CONTRACT_VERSION,
        ...{ name: 'all', url: `http://127.0.0.1:${String(port)}/` },
      }),
    });
    const made = (await answer.json()) as { secret?: string };
    if (made.secret === undefined)
      throw new Error(`No webhook was made: ${String(answer.status)}.`);
    this.#secret = made.secret;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // The server ended in the middle of a message, which comes again.
      return;
    }
    this.#note(request, Buffer.concat(chunks).toString('utf8'));
    response.writeHead(204).end();
  }

  #note({ headers }: IncomingMessage, body: string): void {
    const [key, time] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
    const bytes = Buffer.from(this.#secret.replace('whsec_', ''), 'base64');
    const mac = createHmac('sha256', bytes).update(`${key}.${time}.${body}`).digest('base64');
    const signatures = String(headers['webhook-signature']).split(' ');
    if (!signatures.includes(`v1,${mac}`)) this.violations.push(`${key} is not signed.`);
    const { data } = JSON.parse(body) as { data: { changes: { record_id: string }[] } };
    const records = data.changes.map(({ record_id }) => record_id);
    const before = this.#keys.get(key);
    this.#keys.set(key, records.join());
    if (before === undefined) this.records.push(...records);
    else {
      this.repeated += 1;
      if (before !== records.join()) this.violations.push(`${key} came again with other changes.`);
    }
  }
}
