/** What messages of webhooks carry, and how they are signed. */
import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { ScopeInput, WebhookRequest } from '../../index.js';
import { type AgentOptions, agentFor } from '../../operator.js';
import {
  admin,
  MINUTE_MS,
  other,
  own,
  record,
  type Sent,
  setUp,
  shared,
  URL_OF_RECEIVER,
} from '../../../test/webhook-kit.js';

describe('messages', () => {
  test('HOK-C7, HOK-33 carry the wanted changes in order, signed, and nothing of their content', async () => {
    const { agent, receiver, deliver, create, webhooks, clock, close } = await setUp();
    await create(shared);
    const { webhook, secret } = await webhooks.create({
      name: 'index',
      url: URL_OF_RECEIVER,
      scopes: [shared, own],
      actions: ['created', 'deleted'],
    });
    const first = await create(shared);
    await create(other);
    await agent.memory
      .in(shared)
      .update({ recordId: first, expectedRevision: 1 }, { ...record, content: { primary: 'b' } });
    const second = await create(own);
    await agent.memory.in(shared).delete({ recordId: first, expectedRevision: 2 });
    await deliver();
    const [sent] = receiver.requests;
    expect(sent?.url).toBe(URL_OF_RECEIVER);
    const { body = '', headers = {} } = sent ?? {};
    expect(JSON.parse(body)).toEqual({
      type: 'memory.changed',
      timestamp: new Date(clock.now()).toISOString(),
      data: {
        webhook_id: webhook.id,
        changes: [
          [shared, first, 1, 'created'],
          [own, second, 1, 'created'],
          [shared, first, 3, 'deleted'],
        ].map(([scope, record_id, revision, action]) => ({
          scope: { mission_id: null, ...(scope as ScopeInput) },
          ...{ record_id, revision, action, committed_at_millis: clock.now() },
        })),
      },
    });
    expect(body).not.toContain('thought');
    expect(headers['webhook-timestamp']).toBe(String(Math.floor(clock.now() / 1_000)));
    expect(signedBy(secret, sent)).toBe(true);
    expect(signedBy(`whsec_${Buffer.alloc(32).toString('base64')}`, sent)).toBe(false);
    await deliver();
    expect(receiver.requests).toHaveLength(1);
    const { delivery } = await webhooks.get(webhook.id);
    expect(delivery).toMatchObject({ state: 'active', delivered_messages: 1, last_failure: null });
    await close();
  });

  test('REV-C17, REV-23 say what happened to proposals only if that is wanted', async () => {
    const { keep, receiver, deliver, create, webhooks, close } = await setUp();
    await webhooks.create({ name: 'records', url: URL_OF_RECEIVER });
    const of = { tenantId: 'acme', scopes: [shared] };
    const can = (...capabilities: AgentOptions['capabilities'] & object) => ({ capabilities });
    const paul = await agentFor(keep, { ...of, subjectId: 'paul', ...can('memory_propose') });
    const rita = await agentFor(keep, {
      ...of,
      subjectId: 'rita',
      ...can('memory_read', 'memory_review'),
    });
    const { webhook } = await webhooks.create({
      name: 'proposals',
      url: URL_OF_RECEIVER,
      scopes: [shared],
      actions: ['proposed', 'rejected'],
    });
    const made = await create(shared);
    const { proposal } = await paul.proposals.propose(shared, { type: 'create', record });
    await rita.proposals.reject(proposal?.id ?? '', 'No.');
    await deliver();
    const bodies = receiver.bodies();
    expect(bodies.map(({ data }) => data.changes?.map((each) => each.record_id))).toContainEqual([
      made,
    ]);
    const about = bodies.filter(({ data }) => 'proposals' in data);
    expect(about).toMatchObject([
      {
        type: 'memory.changed',
        data: {
          webhook_id: webhook.id,
          changes: [],
          proposals: [
            { proposal_id: proposal?.id, state: 'proposed', reason: null },
            { proposal_id: proposal?.id, state: 'rejected', reason: 'No.' },
          ],
        },
      },
    ]);
    expect(JSON.stringify(bodies)).not.toContain('thought');
    await close();
  });

  test('have 100 changes at most', async () => {
    const { receiver, deliver, create, webhooks, close } = await setUp();
    await webhooks.create({ name: 'index', url: URL_OF_RECEIVER });
    const made: string[] = [];
    for (let count = 0; count < 230; count += 1) made.push(await create(shared));
    await deliver();
    const sizes = receiver.requests.map(({ body }) => (JSON.parse(body) as Sent).data.changes);
    expect(sizes.map((changes) => changes?.length)).toEqual([100, 100, 30]);
    expect(receiver.records()).toEqual(made);
    await close();
  });

  test('go on from a cursor', async () => {
    const { agent, receiver, deliver, create, webhooks, close } = await setUp();
    const { next_after: after } = await agent.memory.changesPage({ after: 'latest' });
    const made = [await create(shared), await create(own)];
    await webhooks.create({ name: 'index', url: URL_OF_RECEIVER, after });
    await deliver();
    expect(receiver.records()).toEqual(made);
    await close();
  });

  test('HOK-C12 are signed with both secrets until the overlap ends', async () => {
    const { receiver, deliver, create, webhooks, clock, close } = await setUp();
    const { webhook, secret: old } = await webhooks.create({ name: 'a', url: URL_OF_RECEIVER });
    const { secret } = await webhooks.rotateSecret(webhook, { overlapSeconds: 60 });
    await create(shared);
    await deliver();
    clock.advance(MINUTE_MS);
    await create(shared);
    await deliver();
    const [during, behind] = receiver.requests;
    expect([old, secret].map((each) => signedBy(each, during))).toEqual([true, true]);
    expect([old, secret].map((each) => signedBy(each, behind))).toEqual([false, true]);
    await close();
  });

  test('HOK-C10 leave out what the owner may not read, and stop with it', async () => {
    const { keep, receiver, deliver, deliverSoon, create, webhooks, close } = await setUp();
    const options: AgentOptions = { ...admin, subjectId: 'second', scopes: [shared] };
    const second = await agentFor(keep, options);
    const { webhook } = await second.webhooks.create({ name: 'a', url: URL_OF_RECEIVER });
    const visible = await create(shared);
    await create(own);
    await create(other);
    await deliver();
    expect(receiver.records()).toEqual([visible]);
    const ops = await agentFor(keep, admin);
    await ops.credentials.revoke(webhook.credential_id, (await second.whoAmI()).revision);
    const missed = await create(shared);
    await deliver();
    expect(receiver.requests).toEqual([]);
    const seen = await webhooks.get(webhook.id);
    expect(seen.delivery.state).toBe('unauthorized');
    await webhooks.update(seen, { name: 'a', url: URL_OF_RECEIVER, scopes: [shared] });
    await deliverSoon();
    expect(receiver.records()).toEqual([missed]);
    await close();
  });
});

function signedBy(secret: string, request: WebhookRequest | undefined): boolean {
  const { body = '', headers = {} } = request ?? {};
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
  const signature = new Verifier(secret).sign(headers['webhook-id'] ?? '', at, body);
  return (headers['webhook-signature'] ?? '').split(' ').includes(signature);
}
