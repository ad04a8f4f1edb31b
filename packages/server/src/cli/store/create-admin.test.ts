/** `agentkeep create-admin` on a temporary directory. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep, operations } from '@agentkeep/core';
import { embeddedInput } from '@agentkeep/core/operator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/command-line/run-command.js';

const PASSWORD = 'Correct-Horse-7';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'agentkeep-admin-'));
});

afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

function run(words: readonly string[], environment: Record<string, string> = {}) {
  return runCommand([...words, '--data-dir', dataDir], { environment });
}

const createAdmin = (words: readonly string[], environment?: Record<string, string>) =>
  run(['create-admin', ...words], environment);

interface Made {
  readonly account: { readonly id: string };
  readonly password?: string;
}

/** Logs in and returns the roles of the account. */
async function logIn(username: string, password: string, tenantId?: string): Promise<string[]> {
  await using keep = await openKeep({ dataDir });
  const tenancy = tenantId === undefined ? {} : { tenant_id: tenantId };
  const document = { username, password, ...tenancy };
  const session = await keep.invoke(operations.authLogin, embeddedInput({ document }), {});
  const agent = await keep.authenticate(session.access_token);
  return (await agent.users.get(session.user_id)).roles;
}

describe('create-admin', () => {
  // OPR-6, OPR-52, USR-46, USR-48, USR-57
  it('USR-49 generates a password, prints it once and does not touch a taken name', async () => {
    const { status, out, error } = await createAdmin(['root']);
    expect({ status, error }).toEqual({ status: 0, error: '' });
    expect(out).toMatch(/^[^\n]+\n$/);
    const { password = '', ...made } = JSON.parse(out) as Made;
    expect(password).toHaveLength(24);
    expect(made).toEqual({
      contract_version: 1,
      account: {
        id: made.account.id,
        username: 'root',
        authority: { kind: 'global' },
        credential_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        revision: 1,
        disabled_at_millis: null,
        history: [
          {
            revision: 1,
            action: 'login_account_created',
            actor_id: made.account.id,
            at_millis: expect.any(Number) as number,
          },
        ],
      },
    });
    for (const given of [PASSWORD, 'weak']) {
      const again = await createAdmin(['root'], { AGENTKEEP_ADMIN_PASSWORD: given });
      expect(again).toMatchObject({ status: 1, out: '' });
      expect(again.error).toContain('"root" or the e-mail address is taken. Nothing');
    }
    expect(await logIn('root', password)).toEqual(['SuperAdmin']);
  });

  it('OPR-52, USR-46 reads the password from the environment or a file and does not print it', async () => {
    const first = await createAdmin(['root'], { AGENTKEEP_ADMIN_PASSWORD: PASSWORD });
    expect(first.status).toBe(0);
    expect(JSON.parse(first.out)).not.toHaveProperty('password');
    const file = join(dataDir, 'password');
    writeFileSync(file, ` ${PASSWORD} \r\n`);
    const environment = { AGENTKEEP_ADMIN_PASSWORD_FILE: file };
    const second = await createAdmin(['ann', '--role', 'Admin'], environment);
    expect({ status: second.status, error: second.error }).toEqual({ status: 0, error: '' });
    expect(second.out).not.toContain(PASSWORD);
    expect(await logIn('root', PASSWORD)).toEqual(['SuperAdmin']);
    expect(await logIn('ann', ` ${PASSWORD} `)).toEqual(['Admin']);
  });

  it('USR-57 gives the owner of the installation its tenants, and an Admin nothing', async () => {
    const given = { AGENTKEEP_ADMIN_PASSWORD: PASSWORD };
    await createAdmin(['root'], given);
    await createAdmin(['helper', '--role', 'Admin'], given);
    await using keep = await openKeep({ dataDir });
    const { administrator: root } = await keep.logIn({ username: 'root', password: PASSWORD });
    await root.tenants.register({ tenantId: 'acme', subjectId: 'ops' });
    const { is_master, spec } = await root.identity();
    expect(is_master).toBe(false);
    expect(spec).toMatchObject({ subject_id: 'root', expires_at_millis: null });
    expect(spec.capabilities).toContain('tenant_create');
    const { administrator: helper } = await keep.logIn({ username: 'helper', password: PASSWORD });
    await expect(helper.tenants.listPage()).rejects.toMatchObject({ code: 'forbidden' });
    const { events } = await root.audit.queryPage();
    const issued = events.filter(({ metadata }) => metadata.change === 'issued');
    expect(issued.map(({ event_type: type, metadata }) => [type, metadata.principal])).toEqual([
      ['configuration_changed', 'operator'],
    ]);
  });

  it('makes administrators of tenants', async () => {
    const boot = await run(['bootstrap-tenant', 'acme', 'ops']);
    const { credential } = JSON.parse(boot.out) as { credential: { id: string } };
    const flags = ['--tenant-id', 'acme', '--email', 'a@x.test', '--credential-id', credential.id];
    const made = await createAdmin(['ann', ...flags], { AGENTKEEP_ADMIN_PASSWORD: PASSWORD });
    expect(JSON.parse(made.out)).toMatchObject({
      account: {
        authority: { kind: 'tenant', tenant_id: 'acme' },
        credential_id: credential.id,
      },
    });
    expect(await logIn('ann', PASSWORD, 'acme')).toEqual(['SuperAdmin']);
    const other = await createAdmin(['bob', '--tenant-id', 'acme', '--email', 'A@X.test']);
    expect(other.error).toContain('the e-mail address is taken');
  });

  it.each([
    [['root'], { AGENTKEEP_ADMIN_PASSWORD: 'weak' }, 'too weak. It needs: at least 12 characters;'],
    [['root'], { AGENTKEEP_ADMIN_PASSWORD: '' }, 'too weak. It needs: at least 12 characters;'],
    [['root'], { AGENTKEEP_ADMIN_PASSWORD_FILE: '/nowhere/at/all' }, 'cannot be read'],
    [
      ['root'],
      { AGENTKEEP_ADMIN_PASSWORD: PASSWORD, AGENTKEEP_ADMIN_PASSWORD_FILE: 'x' },
      'are both set',
    ],
    [[' '], {}, 'the username must have 1 to 256 UTF-8 bytes'],
    [['root', '--email', 'x'], {}, '--email must have 3 to 254 bytes'],
    [['root', '--tenant-id', 'nobody'], {}, 'Tenant "nobody" does not exist.'],
    [['root', '--credential-id', 'x'], {}, '--credential-id must be the id of a live credential'],
    [
      ['root', '--credential-id', '01934f2a-7c1b-7000-8000-1234567890ab'],
      {},
      '--credential-id must be the id of a live credential',
    ],
  ])('refuses %j with %j', async (words, environment, problem) => {
    const refused = await createAdmin(words, environment);
    expect(refused).toMatchObject({ status: 1, out: '' });
    expect(refused.error).toContain(problem);
    expect((await createAdmin(['root'])).status).toBe(0);
  });
});
