/** Audit events of login accounts and opaque sessions (docs/contract/audit.md#aud-29). */
import type { AuditEvent } from '@agentkeep/core';
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { unknownId } from '../harness/documents.js';
import {
  type Holder,
  inBothViews,
  inView,
  OTHER_PASSWORD,
  PASSWORD,
  type View,
} from '../login-accounts/login-account-fixture.js';

type Told = Omit<AuditEvent, 'event_id' | 'timestamp' | 'transaction_time'>;

/** Returns the distinctive members of events of one type, oldest first. */
async function told(view: View, type: AuditEvent['event_type']): Promise<Told[]> {
  return (await view.events(type)).map(
    ({ event_id, timestamp, transaction_time, metadata, ...rest }) => {
      expect([event_id, timestamp, transaction_time].every((each) => each.length > 0)).toBe(true);
      const { request_id, ...others } = metadata;
      expect(request_id === undefined || typeof request_id === 'string').toBe(true);
      return { ...rest, metadata: others };
    },
  );
}

/** Returns the common members of these events apart from type, actor and metadata. */
function around(view: View) {
  return {
    ip_address: expect.toSatisfy(isTextOrNull) as string,
    user_agent: expect.toSatisfy(isTextOrNull) as string,
    tenant_id: view.kind === 'tenant' ? 'acme' : null,
  };
}

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

/** Returns the administrator as events name it. */
function administrator(view: View) {
  const username = view.kind === 'tenant' ? 'ops' : 'root';
  return { user_id: view.admin.id, username, ...around(view) };
}

/** Returns the event of a change of one account. */
const change = (event_type: AuditEvent['event_type'], id: string) => ({
  event_type,
  action: event_type,
  resource: `user:${id}`,
  result: 'success',
});

const sessionOf = ({ token }: Holder): string =>
  (token.split('_')[2] ?? '').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

describe('an account', () => {
  inBothViews('records its creation, password change and disabling', async (view) => {
    const ann = await view.made('ann', await view.key());
    result(await view.password(ann.id, 1, OTHER_PASSWORD));
    result(await view.disable(ann.id, 2));
    const principal = 'credential';
    expect(await told(view, 'user_created')).toEqual([
      {
        ...administrator(view),
        ...change('user_created', ann.id),
        metadata: { new_username: 'ann', new_email: null, roles: ['Read'], principal },
      },
    ]);
    expect(await told(view, 'user_password_changed')).toEqual([
      {
        ...administrator(view),
        ...change('user_password_changed', ann.id),
        metadata: { password_changed: true, self: false, principal },
      },
    ]);
    expect(await told(view, 'user_updated')).toEqual([
      {
        ...administrator(view),
        ...change('user_updated', ann.id),
        metadata: { disabled: true, principal },
      },
    ]);
  });

  inBothViews('acts under its own name', async (view) => {
    const chief = await view.made('chief', view.admin);
    const by = await view.session('chief');
    const ann = result(await view.create({ username: 'ann', credential_id: view.admin.id }, by));
    result(await view.disable(ann.account.id, 1, by));
    const actor = { user_id: chief.id, username: 'chief' };
    const [, made] = await told(view, 'user_created');
    expect(made).toMatchObject({ ...actor, metadata: { principal: 'account' } });
    const [disabled] = await told(view, 'user_updated');
    expect(disabled).toMatchObject({ ...actor, metadata: { disabled: true } });
  });

  inBothViews('records refusals after the check of authority', async (view) => {
    await view.made('ann', view.admin);
    const good = { username: 'bob', credential_id: view.admin.id };
    const refusals = [
      [{ ...good, username: 'ann' }, 'ann', 'revision_conflict'],
      [{ ...good, password: 'weak' }, 'bob', 'weak_password'],
      [{ ...good, username: 'a\nb' }, 'a\\u000ab', 'invalid_request'],
    ] as const;
    for (const [members] of refusals) expect((await view.create(members)).status).not.toBe(201);
    // These stop before it, or because a right is missing.
    const others = [
      await view.create({ ...good, roles: [] }),
      await view.create({ ...good, contract_version: 2 }),
      await view.create({ ...good, credential_id: unknownId }),
      await view.create({ ...good, username: 'ann' }, await view.key()),
    ];
    expect(others.map(outcome)).toEqual([
      refused.invalid,
      refused.version,
      refused.forbidden,
      refused.forbidden,
    ]);
    const [, ...failures] = await told(view, 'user_created');
    expect(failures).toEqual(
      refusals.map(([, attempted_username, error]) => ({
        ...administrator(view),
        event_type: 'user_created',
        action: 'user_created',
        resource: 'user:unknown',
        result: 'failure',
        metadata: { attempted_username, error, principal: 'credential' },
      })),
    );
  });

  inBothViews('records no event without a change', async (view) => {
    const ann = await view.made('ann', view.admin);
    await view.password(ann.id, 1, 'weak');
    await view.password(ann.id, 9, OTHER_PASSWORD);
    await view.disable(ann.id, 9);
    await view.disable(unknownId, 1);
    for (const type of ['user_password_changed', 'user_updated'] as const) {
      expect(await told(view, type)).toEqual([]);
    }
  });

  inBothViews('has no actor when a missing right refuses the caller', async (view) => {
    const key = view.kind === 'tenant' ? await view.key() : await view.full();
    const ann = await view.made('ann', key);
    const session = await view.session('ann');
    for (const each of [key, session]) {
      expect(outcome(await view.inspect(ann.id, each))).toBe(refused.forbidden);
    }
    const right = view.kind === 'tenant' ? 'credential_admin' : 'authority';
    const denied = await told(view, 'permission_denied');
    expect(denied.map(({ user_id, action }) => [user_id, action])).toEqual(
      [key.id, ann.id].map((id) => [id, `require_permission:${right}`]),
    );
  });
});

describe('a session', () => {
  inBothViews('records its start, use and end', async (view) => {
    const ann = await view.made('ann', await view.key());
    const session = await view.session('ann');
    expect(await view.identity(session)).toBe('200');
    expect(await view.outcome('logout', {}, session)).toBe('200');
    expect(await view.outcome('logout', {}, session)).toBe(refused.unauthorized);
    const actor = { user_id: ann.id, username: 'ann', ...around(view) };
    const session_id = sessionOf(session);
    const success = { resource: 'authentication', result: 'success' };
    expect(await told(view, 'login')).toEqual([
      {
        ...actor,
        event_type: 'login',
        action: 'login',
        ...success,
        metadata: { method: 'session', session_id },
      },
    ]);
    expect(await told(view, 'logout')).toEqual([
      {
        ...actor,
        event_type: 'logout',
        action: 'logout',
        ...success,
        metadata: { session_id, principal: 'account' },
      },
    ]);
    const used = await told(view, 'token_refresh');
    expect(used.map(({ user_id, metadata }) => [user_id, metadata['session_id']])).toEqual([
      [ann.id, session_id],
      [ann.id, session_id],
    ]);
  });

  inView('global', 'that is invalid is recorded without an actor', async (view) => {
    await view.made('ann', view.admin);
    const session = await view.session('ann');
    result(await view.call('logout', {}, session));
    await view.identity(session);
    await view.outcome('logout', {}, view.admin);
    const failed = await told(view, 'token_refresh_failed');
    expect(failed).toMatchObject([
      { user_id: null, username: 'unknown', result: 'unauthorized' },
      { user_id: null, username: 'unknown', result: 'unauthorized' },
    ]);
  });

  inBothViews('that fails to start is recorded with the name', async (view) => {
    await view.made('ann', view.admin);
    for (const username of ['ann', 'absent']) await view.login(username, 'wrong');
    const failed = await told(view, 'login_failed');
    expect(failed).toEqual(
      ['ann', 'absent'].map((username) => ({
        user_id: null,
        username,
        ...around(view),
        event_type: 'login_failed',
        action: 'login_failed',
        resource: 'authentication',
        result: 'failure',
        metadata: { failed_attempts: 1 },
      })),
    );
    await view.login('ann', 7);
    expect(await told(view, 'login_failed')).toHaveLength(2);
  });
});

inBothViews('AUD-C53 no secret is in any event', async (view) => {
  const { id } = await view.made('ann', await view.key());
  const session = await view.session('ann');
  await view.login('ann', 'Some-wrong-password-1');
  await view.create({ username: 'x', password: 'Another-one-2', credential_id: 7 });
  result(await view.password(id, 1, OTHER_PASSWORD));
  await view.login(session.token, session.token);
  const parameters = { limit: 1_000 };
  const all = JSON.stringify(result(await view.call('queryAuditLogs', { parameters })));
  const secrets = [PASSWORD, OTHER_PASSWORD, 'Some-wrong', 'Another-one', 'plain:'];
  for (const secret of secrets) expect(all).not.toContain(secret);
});
