/** Webhooks of a tenant (docs/contract/webhooks.md). Delivery itself is tested in the core. */
import { describe, expect } from 'vitest';
import { type Answer, outcome, type Parts, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { scope, sharedScope, unknownId } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';

const version = { contract_version: 1 };
const url = 'https://hooks.example.com/in?key=1';
const NOT_FOUND = '404 not_found';

const owner = (t: Fixture, members: Members = {}): Promise<Caller> =>
  t.agent({ capabilities: ['credential_admin', 'memory_read', 'memory_write'], ...members });

const create = (caller: Caller, members: Members = {}): Promise<Answer<'createWebhook'>> =>
  caller.call('createWebhook', { document: { ...version, name: 'index', url, ...members } });

/** The paths of the members that a refusal names. */
function membersOf({ body }: Answer): string[] {
  const { error } = body as { error: { members?: { path: string }[] } };
  return (error.members ?? []).map(({ path }) => path);
}

const read: Parts = { parameters: version };

/** Every call about one webhook. */
const callsOn = (id: unknown) =>
  [
    ['getWebhook', { id, ...read }],
    ['updateWebhook', { id, document: { ...version, expected_revision: 1, name: 'n', url } }],
    ['rotateWebhookSecret', { id, document: { ...version, expected_revision: 1 } }],
    ['listWebhookDeadLetters', { id, ...read }],
    ['replayWebhookDeadLetters', { id, document: version }],
    ['discardWebhookDeadLetter', { id, document: { ...version, dead_letter_id: unknownId } }],
    ['deleteWebhook', { id, ...read }],
  ] as const;

describe('webhooks', () => {
  testCase('HOK-C1, HOK-11, HOK-29 are made, shown, changed and deleted', async (t) => {
    const admin = await owner(t);
    const { webhook, secret } = result(await create(admin, { scopes: [scope] }));
    const { id } = webhook;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/u);
    const delivery = {
      state: 'active',
      next_after: expect.stringMatching(/^[\w-]{64}$/u) as string,
      delivered_messages: 0,
      last_delivered_at_millis: null,
      failed_attempts: 0,
      next_attempt_at_millis: null,
      last_failure: null,
      dead_letters: 0,
    };
    const nowMs = t.clock.now();
    const shown = {
      ...{ id, name: 'index', url, scopes: [{ ...scope, mission_id: null }], actions: null },
      ...{ enabled: true, revision: 1, credential_id: admin.id, secrets: 1, delivery },
      ...{ created_at_millis: nowMs, updated_at_millis: nowMs },
    };
    expect(webhook).toEqual(shown);
    expect(result(await admin.call('getWebhook', { id, ...read })).webhook).toEqual(shown);
    expect(result(await admin.call('listWebhooks', read)).webhooks).toEqual([shown]);
    t.clock.advance(5);
    const settings = { name: 'renamed', url, actions: ['deleted'], enabled: false };
    const document = { ...version, expected_revision: 1, ...settings };
    const updated = result(await admin.call('updateWebhook', { id, document })).webhook;
    expect(updated).toEqual({
      ...shown,
      ...settings,
      ...{ scopes: null, revision: 2, updated_at_millis: nowMs + 5 },
      delivery: { ...delivery, state: 'paused' },
    });
    const rotation = { ...version, expected_revision: 2 };
    const rotated = result(await admin.call('rotateWebhookSecret', { id, document: rotation }));
    expect(rotated.webhook).toMatchObject({ revision: 3, secrets: 2 });
    expect(rotated.secret).not.toBe(secret);
    t.clock.advance(86_400_000);
    expect(result(await admin.call('getWebhook', { id, ...read })).webhook.secrets).toBe(1);
    const answer = await admin.call('replayWebhookDeadLetters', { id, document: version });
    expect(result(answer).webhook.revision).toBe(3);
    const letters = await admin.call('listWebhookDeadLetters', { id, ...read });
    expect(result(letters).dead_letters).toEqual([]);
    const deleted = result(await admin.call('deleteWebhook', { id, ...read }));
    expect(deleted).toEqual({ ...version, deleted: true });
    for (const [name, parts] of callsOn(id)) {
      expect([name, outcome(await admin.call(name, parts))]).toEqual([name, NOT_FOUND]);
    }
    expect(result(await admin.call('listWebhooks', read)).webhooks).toEqual([]);
  });

  testCase('HOK-32 deliver nothing where the keep has no sender, and wait', async (t) => {
    const admin = await owner(t);
    const { webhook } = result(await create(admin, { scopes: [scope] }));
    const agent = await t.agent();
    await agent.created(scope);
    t.clock.advance(60_000);
    const later = result(await admin.call('getWebhook', { id: webhook.id, ...read })).webhook;
    const unchanged = { ...webhook.delivery, next_after: expect.any(String) as string };
    expect(later.delivery).toEqual(unchanged);
  });

  testCase('HOK-C2 have names of their own, a bound, and revisions', async (t) => {
    const admin = await owner(t);
    const { id } = result(await create(admin)).webhook;
    const again = await create(admin);
    expect([outcome(again), membersOf(again)]).toEqual([refused.stale, ['name']]);
    for (let count = 1; count < 32; count += 1) {
      result(await create(admin, { name: `hook ${String(count)}` }));
    }
    expect(outcome(await create(admin, { name: 'one more' }))).toBe('409 webhook_limit');
    const taken = { ...version, expected_revision: 1, name: 'hook 1', url };
    const update = await admin.call('updateWebhook', { id, document: taken });
    expect([outcome(update), membersOf(update)]).toEqual([refused.stale, ['name']]);
    const stale = { ...version, expected_revision: 2, name: 'index', url };
    expect(outcome(await admin.call('updateWebhook', { id, document: stale }))).toBe(refused.stale);
    const rotation = { id, document: { ...version, expected_revision: 2 } };
    expect(outcome(await admin.call('rotateWebhookSecret', rotation))).toBe(refused.stale);
  });

  testCase(
    'HOK-11, HOK-17, HOK-28 sign with four secrets, and are listed oldest first',
    async (t) => {
      const admin = await owner(t);
      const { id } = result(await create(admin)).webhook;
      result(await create(admin, { name: 'a later one' }));
      const listed = result(await admin.call('listWebhooks', read)).webhooks;
      expect(listed.map(({ name }) => name)).toEqual(['index', 'a later one']);
      const counts: number[] = [];
      for (let expected_revision = 1; expected_revision <= 5; expected_revision += 1) {
        const overlap_seconds = expected_revision === 5 ? 0 : 60 * expected_revision;
        const document = { ...version, expected_revision, overlap_seconds };
        const { webhook } = result(await admin.call('rotateWebhookSecret', { id, document }));
        counts.push(webhook.secrets);
      }
      expect(counts).toEqual([2, 3, 4, 4, 1]);
      const unknown = { id, document: { ...version, dead_letter_id: unknownId } };
      expect(outcome(await admin.call('replayWebhookDeadLetters', unknown))).toBe(NOT_FOUND);
      expect(outcome(await admin.call('discardWebhookDeadLetter', unknown))).toBe(NOT_FOUND);
    },
  );

  testCase('HOK-C3 refuse wrong settings, and name them', async (t) => {
    const admin = await owner(t);
    const long = `https://hooks.example.com/${'a'.repeat(2_049 - 26)}`;
    const wrong: [Members, string][] = [
      [{ url: 'ftp://hooks.example.com/' }, 'url'],
      [{ url: 'hooks.example.com' }, 'url'],
      [{ url: 'https://me@hooks.example.com/' }, 'url'],
      [{ url: 'https://hooks.example.com/#' }, 'url'],
      [{ url: ' https://hooks.example.com/' }, 'url'],
      [{ url: 'https://hooks.example.com/\t' }, 'url'],
      [{ url: long }, 'url'],
      [{ name: '' }, 'name'],
      [{ scopes: [] }, 'scopes'],
      [{ scopes: Array.from({ length: 17 }, () => scope) }, 'scopes'],
      [{ actions: ['created', 'created'] }, 'actions'],
      [{ actions: ['read'] }, 'actions[0]'],
      [{ after: 'x' }, 'after'],
    ];
    for (const [members, path] of wrong) {
      const answer = await create(admin, members);
      expect([outcome(answer), membersOf(answer)]).toEqual([refused.invalid, [path]]);
    }
    result(await create(admin, { url: long.slice(0, -1) }));
  });

  testCase('HOK-C13 store an address as a URI in ASCII', async (t) => {
    const admin = await owner(t);
    const sent = 'https://hooks.bücher.example/\u200b{{7*7}}/@me?q=日本';
    const stored = 'https://hooks.xn--bcher-kva.example/%E2%80%8B%7B%7B7*7%7D%7D/%40me';
    const shown = `${stored}?q=%E6%97%A5%E6%9C%AC`;
    const { webhook } = result(await create(admin, { url: sent }));
    expect(webhook.url).toBe(shown);
    const { id } = webhook;
    for (const again of [sent, shown, 'HTTPS://Hooks.Bücher.example:443']) {
      const { revision } = result(await admin.call('getWebhook', { id, ...read })).webhook;
      const document = { ...version, expected_revision: revision, name: 'n', url: again };
      const updated = result(await admin.call('updateWebhook', { id, document })).webhook;
      const expected = again.endsWith(':443') ? 'https://hooks.xn--bcher-kva.example/' : shown;
      expect(updated.url).toBe(expected);
    }
  });

  testCase('HOK-C4 need the rights that they are to have', async (t) => {
    const without = async (capability: string) => {
      const capabilities = ['credential_admin', 'memory_read'].filter(
        (each) => each !== capability,
      );
      return outcome(await create(await t.agent({ capabilities })));
    };
    expect(await without('credential_admin')).toBe(refused.forbidden);
    expect(await without('memory_read')).toBe(refused.forbidden);
    const admin = await owner(t, { grants: [scope] });
    const answer = await create(admin, { scopes: [scope, sharedScope] });
    expect([outcome(answer), membersOf(answer)]).toEqual([refused.forbidden, ['scopes[1]']]);
    expect(outcome(await create(admin.with('agentkeep')))).toBe(refused.unauthorized);
  });

  testCase('HOK-C5 are not there for others', async (t) => {
    const admin = await owner(t);
    const { id } = result(await create(admin)).webhook;
    const foreign = await (
      await t.foreignAdmin()
    ).appoint({
      subject_id: 'mallory',
      capabilities: ['credential_admin', 'memory_read'],
      grants: [scope],
    });
    for (const target of [id, unknownId]) {
      for (const [name, parts] of callsOn(target)) {
        expect([name, outcome(await foreign.call(name, parts))]).toEqual([name, NOT_FOUND]);
      }
    }
    expect(result(await foreign.call('listWebhooks', read)).webhooks).toEqual([]);
    expect(result(await admin.call('getWebhook', { id, ...read })).webhook.revision).toBe(1);
  });

  testCase('HOK-C6 begin after a cursor of the feed', async (t) => {
    const admin = await owner(t);
    const changes = await admin.call('listMemoryChanges', {
      parameters: { ...version, after: 'latest' },
    });
    const { next_after: after } = result(changes).page;
    await admin.created(scope);
    await admin.created(scope);
    const { webhook } = result(await create(admin, { after }));
    const parameters = { ...version, after: webhook.delivery.next_after };
    const left = result(await admin.call('listMemoryChanges', { parameters })).page;
    expect(left.changes).toHaveLength(2);
    const foreign = await create(admin, { name: 'b', after: `${after.slice(0, 63)}!` });
    expect([outcome(foreign), membersOf(foreign)]).toEqual([refused.invalid, ['after']]);
  });

  testCase('leave events without secrets (HOK-18)', async (t) => {
    const admin = await owner(t);
    const { webhook, secret } = result(await create(admin, { scopes: [scope] }));
    const target = { id: webhook.id, document: { ...version, expected_revision: 1 } };
    result(await admin.call('rotateWebhookSecret', target));
    result(await admin.call('deleteWebhook', { id: webhook.id, ...read }));
    const parameters = { event_type: 'configuration_changed' };
    const answer = result(await t.admin.call('queryAuditLogs', { parameters }));
    const { events } = answer as { events: { resource: string; metadata: Members }[] };
    const own = events.filter(({ resource }) => resource === `webhook:${webhook.id}`);
    expect(own.map(({ metadata }) => metadata['change'])).toEqual([
      'deleted',
      'secret_rotated',
      'created',
    ]);
    expect(JSON.stringify(own)).not.toContain(secret.slice(6, 30));
    expect(JSON.stringify(own)).not.toContain('key=1');
    expect(own[0]?.metadata).toMatchObject({ origin: 'https://hooks.example.com', name: 'index' });
  });
});
