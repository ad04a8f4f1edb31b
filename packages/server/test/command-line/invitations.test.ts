/** Inviting people by commands (docs/contract/invitations.md#inv-21). */
import { describe, expect, test } from 'vitest';
import { servedKeep } from './served-keep.js';

const REVIEWER = ['--role', 'reviewer', '--scope', 'support/desk'];

test('INV-26 agentkeep people reset prints a link that sets a new password', async () => {
  await using served = await servedKeep();
  const admin = ['--profile', 'admin'];
  await served.run(['people', 'invite', 'ann@example.com', ...REVIEWER, ...admin]);
  const { out, error } = await served.attempt(
    ['people', 'reset', 'Ann@Example.com', '--hours', '2', ...admin],
    {},
  );
  expect(error).toContain('Send this link to ann@example.com');
  const page = new URL(out);
  const form = new URLSearchParams({ code: page.searchParams.get('code') ?? '' });
  for (const name of ['password', 'again']) form.set(name, 'Battery.Staple8');
  const sent = () =>
    fetch(page.origin + page.pathname, {
      method: 'POST',
      headers: { origin: page.origin },
      body: form,
    });
  expect((await sent()).status).toBe(200);
  expect((await sent()).status).toBe(410);
  const unknown = await served.attempt(['people', 'reset', 'eve', ...admin], {});
  expect(unknown.error).toContain('No account is named "eve".');
});

describe('agentkeep people invite', () => {
  test('INV-21 one command lets a person in', async () => {
    await using served = await servedKeep();
    const admin = ['--profile', 'admin'];
    const { out, error } = await served.attempt(
      ['people', 'invite', 'ann@example.com', ...REVIEWER, ...admin],
      {},
    );
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/invitation\?code=aki1_[\w-]+\n$/);
    expect(error).toContain('Send this link to ann@example.com');
    const form = new URLSearchParams({ code: new URL(out).searchParams.get('code') ?? '' });
    for (const name of ['password', 'again']) form.set(name, 'Battery.Staple8');
    const page = new URL(out);
    const sent = await fetch(page.origin + page.pathname, {
      method: 'POST',
      headers: { origin: page.origin },
      body: form,
    });
    expect(sent.status).toBe(200);
    const environment = {
      ...served.environment,
      ANN: 'Battery.Staple8',
    };
    const profile = ['profiles', 'set', 'ann', '--url', served.url, '--tenant-id', 'acme'];
    await served.run([
      ...profile,
      ...['--username', 'ann@example.com', '--password-variable', 'ANN'],
    ]);
    const seen = await served.answerOf(['whoami', '--profile', 'ann'], { environment });
    expect(seen).toMatchObject({
      credential: {
        spec: {
          subject_id: 'ann@example.com',
          grants: [{ project_id: 'support', agent_id: 'desk', visibility: 'shared' }],
        },
      },
    });
  });

  test('INV-21 takes usernames, missions, days and private scopes', async () => {
    await using served = await servedKeep();
    const words = ['people', 'invite', 'bob', '--role', 'writer', '--profile', 'admin'];
    const scopes = ['--scope', 'p/a', '--scope', 'p/m/a', '--visibility', 'private'];
    const made = (await served.answerOf([...words, ...scopes, '--days', '2'])) as {
      readonly link: string;
      readonly path: string;
      readonly invitation: { readonly user: { readonly id: string; readonly email: null } };
    };
    expect(made.link).toBe(served.url + made.path);
    expect(made.invitation.user.email).toBeNull();
    const list = ['people', 'invitations', '--profile', 'admin'];
    expect(await served.run(list)).toMatch(/bob +writer +waiting/);
    await served.run([
      ...['people', 'revoke-invitation', made.invitation.user.id, '--profile', 'admin'],
    ]);
    expect(await served.run(list)).toMatch(/bob +writer +revoked/);
    const code = new URL(made.link).searchParams.get('code') ?? '';
    const accept = ['people', 'accept-invitation', '--code-file', '-', '--url', served.url];
    const refused = await served.attempt(
      [...accept, '--password-file', `${served.folder}/password`],
      { input: code, environment: { AGENTKEEP_SECRET: 'none' } },
    );
    expect(refused.error).toContain('(invitation_ended)');
  });

  test('INV-21 refuses what it cannot read before anything is sent', async () => {
    await using served = await servedKeep();
    const words = ['people', 'invite', 'ann', '--profile', 'admin'];
    for (const [given, reason] of [
      [[], '--role is required'],
      [['--role', 'owner'], 'reviewer'],
      [['--role', 'reader', '--scope', 'support'], 'project/agent'],
      [['--role', 'reader', '--scope', 'a/b/c/d'], 'project/agent'],
      [['--role', 'reader', '--scope', 'a//b'], 'project/agent'],
    ] as const) {
      const { status, error } = await served.attempt([...words, ...given]);
      expect(status).not.toBe(0);
      expect(error).toContain(reason);
    }
    const { error } = await served.attempt([...words, '--role', 'reader']);
    expect(error).toContain('at least one scope');
  });

  test('INV-4, INV-21 invites to the installation, and to a tenant of it', async () => {
    await using served = await servedKeep();
    const words = ['people', 'invite', 'ann', '--role', 'admin', '--profile', 'master'];
    expect(await served.answerOf(words)).toMatchObject({
      invitation: { user: { tenant_id: null, roles: ['SuperAdmin'] } },
    });
    expect(await served.answerOf([...words, '--tenant-id', 'acme'])).toMatchObject({
      invitation: { user: { tenant_id: 'acme', roles: ['Admin'] } },
    });
  });
});
