/** The console in Chromium: credentials of each kind (docs/contract/console.md). */
import { generateKeyPairSync } from 'node:crypto';
import { findChromium } from '@agentkeep/testkit/find-chromium';
import { testIssuer } from '@agentkeep/testkit/test-issuer';
import { connect } from '@agentkeep/client';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectClean, expectFit } from './console-checks.js';
import { companyInChromium, signInBySecret } from './console-kit.js';
import { type WatchedPage, watchedPage } from './watched-page.js';

/** A key pair of an agent, as JWKs. */
function agentKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    publicKey: publicKey.export({ format: 'jwk' }),
    privateKey: privateKey.export({ format: 'jwk' }),
  };
}

/** Returns the label of what has the focus, or its text. */
function focused(page: Page): Promise<string> {
  return page.evaluate(
    'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent',
  );
}

// The setup of the project fails in CI where there is no browser, and says elsewhere that none ran.
describe.skipIf(findChromium() === undefined)('credentials in Chromium', () => {
  const served = companyInChromium();
  let secret: string;

  beforeAll(async () => {
    ({ secret } = await served.company.setup.credentials.issue({
      ...{ subject_id: 'office', capabilities: ['credential_admin'], grants: [] },
    }));
  });

  /** Opens the dialog that issues a credential. */
  async function issuing(subject: string): Promise<WatchedPage> {
    const watched = await watchedPage(served.browser, { viewport: { width: 1280, height: 800 } });
    const { page } = watched;
    await page.goto(`${served.company.url}/console/access`);
    await signInBySecret(page, secret);
    await page.getByRole('button', { name: 'Issue a credential' }).press('Enter');
    await page.getByLabel('Subject').fill(subject);
    return watched;
  }

  const posted = ({ requested }: WatchedPage, path: string): number =>
    requested.filter((each) => each.endsWith(path)).length;

  test('CSL-C62 issues a credential for a public key, and replaces the key', async () => {
    const [first, next] = [agentKey(), agentKey()];
    await using watched = await issuing('robot');
    const { page } = watched;
    await page.getByLabel('Proof').selectOption('A public key');
    await page.getByLabel('Scopes').selectOption('None');
    await expectFit(page);
    const field = page.getByLabel('Public key');
    const issue = page.getByRole('button', { name: 'Issue', exact: true });
    await field.fill('ssh-ed25519 AAAA');
    await issue.press('Enter');
    await page.getByText('This is not JSON.').waitFor();
    await field.fill(JSON.stringify(first.privateKey));
    await issue.press('Enter');
    await page.getByText('This is a private key: it has d.').waitFor();
    await expectFit(page);
    expect(posted(watched, '/key-credentials')).toBe(0);
    await field.fill(JSON.stringify({ ...first.publicKey, kid: 'robot-1' }));
    await issue.press('Enter');
    await page.getByRole('heading', { name: 'The credential is issued' }).waitFor();
    const token = (await page.locator('.secret').textContent()) ?? '';
    await expectFit(page);
    const as = ({ privateKey }: ReturnType<typeof agentKey>) =>
      connect({ url: served.company.url, key: { token, privateKey } });
    expect((await as(first).whoAmI()).spec.subject_id).toBe('robot');
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByRole('link', { name: 'robot' }).press('Enter');
    await page.getByText('Thumbprint of its key').waitFor();
    await page.getByRole('button', { name: 'Replace the key' }).press('Enter');
    await field.fill(JSON.stringify(next.privateKey));
    await page.getByRole('button', { name: 'Replace it' }).press('Enter');
    await page.getByText('This is a private key: it has d.').waitFor();
    await expectFit(page);
    expect(posted(watched, '/key')).toBe(0);
    await field.fill(JSON.stringify(next.publicKey));
    await page.getByRole('button', { name: 'Replace it' }).press('Enter');
    await page.getByRole('cell', { name: 'rotated' }).waitFor();
    expect((await as(next).whoAmI()).revision).toBe(2);
    await expect(as(first).whoAmI()).rejects.toMatchObject({ code: 'unauthorized' });
    await expectClean(watched, served.company.url);
  });

  test('CSL-C63 shows why the server refuses a key', async () => {
    await using watched = await issuing('shelf');
    const { page } = watched;
    await page.getByLabel('Proof').selectOption('A public key');
    await page.getByLabel('Scopes').selectOption('None');
    const zero = 'A'.repeat(43);
    const none = { kty: 'EC', crv: 'P-256', x: zero, y: zero };
    await page.getByLabel('Public key').fill(JSON.stringify(none));
    await page.getByRole('button', { name: 'Issue', exact: true }).press('Enter');
    const refusal = page.getByRole('dialog').getByRole('alert');
    await refusal.getByText(/^Request [\da-f-]{36} · invalid_request$/).waitFor();
    await expectFit(page);
    expect(posted(watched, '/key-credentials')).toBe(1);
    expect(await watched.violations()).toEqual([]);
  });

  test('CSL-C64 issues a credential for several scopes by keyboard, then for every scope', async () => {
    await using watched = await issuing('driver');
    const { page } = watched;
    const fill = async (number: number, project: string, agent: string): Promise<void> => {
      const group = page.getByRole('group', { name: `Scope ${number}` });
      await group.getByLabel('Project').fill(project);
      await group.getByLabel('Agent').fill(agent);
      await group.getByLabel('Visibility').selectOption('shared');
    };
    expect(await page.getByRole('button', { name: /^Remove scope/ }).count()).toBe(0);
    await fill(1, 'support', 'desk');
    for (const [number, agent] of [
      [2, 'lost'],
      [3, 'stock'],
    ] as const) {
      await page.getByRole('button', { name: 'Add another scope' }).press('Enter');
      await expect.poll(() => focused(page)).toBe('Project');
      await page.keyboard.type('purchasing');
      await fill(number, 'purchasing', agent);
    }
    await expectFit(page);
    await page.getByRole('button', { name: 'Remove scope 2' }).press('Enter');
    await expect.poll(() => focused(page)).toBe('Add another scope');
    await page.getByRole('button', { name: 'Issue', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'I have kept it' }).press('Enter');
    await page.getByRole('link', { name: 'driver' }).press('Enter');
    await page.getByText('support / desk (shared), purchasing / stock (shared)').waitFor();
    await page.getByRole('link', { name: 'All credentials' }).press('Enter');
    await page.getByRole('button', { name: 'Issue a credential' }).press('Enter');
    await page.getByLabel('Subject').fill('archive');
    await page.getByLabel('Scopes').selectOption('Every scope');
    await page.getByLabel('credential admin').press('Space');
    await page.getByRole('button', { name: 'Issue', exact: true }).press('Enter');
    await page.getByText('A credential for every scope cannot have credential admin.').waitFor();
    await page.getByLabel('credential admin').press('Space');
    await page.getByRole('button', { name: 'Issue', exact: true }).press('Enter');
    const archive = (await page.locator('.secret').textContent()) ?? '';
    const { spec } = await connect({ url: served.company.url, secret: archive }).whoAmI();
    expect(spec.scope_policy).toMatchObject({ projects: { mode: 'all' }, agents: { mode: 'all' } });
    await expectClean(watched, served.company.url);
  });

  test('CSL-C65 issues a credential that a trusted issuer proves, and shows its rule', async () => {
    await using watched = await issuing('deploy');
    const { page } = watched;
    await page.getByLabel('Proof').selectOption('A trusted issuer');
    await page.getByText('No issuer is trusted yet.').waitFor();
    await expectFit(page);
    const issuer = testIssuer('k1', 'ed25519');
    const keys = { mode: 'inline', keys: [issuer.key] } as const;
    const { issuers } = connect({ url: served.company.url, secret });
    await issuers.put('ci', { audience: 'agentkeep', keys } as never, 0);
    await page.getByLabel('Proof').selectOption('A secret, shown once');
    await page.getByLabel('Proof').selectOption('A trusted issuer');
    await page.getByLabel('Issuer').waitFor();
    const issue = page.getByRole('button', { name: 'Issue', exact: true });
    await page.getByLabel('Scopes').selectOption('None');
    await page.getByLabel('Subject (sub)', { exact: true }).selectOption('all');
    await issue.press('Enter');
    await page.getByText('Every token of this issuer would be accepted.').waitFor();
    await page.getByLabel('Subject (sub)', { exact: true }).selectOption('all that begin with');
    await page.getByLabel('Subject (sub): begins with').fill('repo:shop/');
    await page.getByRole('button', { name: 'Add a claim' }).press('Enter');
    await expect.poll(() => focused(page)).toContain('Claim');
    await page.keyboard.type('build > branch');
    await page.getByLabel('Text').fill('main');
    await expectFit(page);
    expect(posted(watched, '/federated-credentials')).toBe(0);
    await issue.press('Enter');
    await page.getByRole('heading', { name: 'The credential is issued' }).waitFor();
    const credentialId = (await page.locator('.secret').textContent()) ?? '';
    const claims = { aud: 'agentkeep', sub: 'repo:shop/web', exp: Date.now() / 1_000 + 300 };
    const from = (branch: string) =>
      connect({
        url: served.company.url,
        workload: { credentialId, assertion: () => issuer.sign({ ...claims, build: { branch } }) },
      });
    expect((await from('main').whoAmI()).spec.subject_id).toBe('deploy');
    await expect(from('draft').whoAmI()).rejects.toMatchObject({ code: 'assertion_refused' });
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByRole('link', { name: 'deploy' }).press('Enter');
    const rule = page.getByRole('region', { name: 'Accepted tokens' });
    await rule.getByText('build > branch: main').waitFor();
    await rule.getByText('all that begin with repo:shop/').waitFor();
    expect(await page.getByRole('button', { name: 'Rotate' }).count()).toBe(0);
    await expectFit(page);
    await expectClean(watched, served.company.url);
  });

  test('CSL-C66 issues a service that acts for the subjects of its issuer', async () => {
    const issuer = testIssuer('k2', 'ed25519');
    const keys = { mode: 'inline', keys: [issuer.key] } as const;
    const { credentials, issuers } = connect({ url: served.company.url, secret });
    await issuers.put('people', { audience: 'agentkeep', keys } as never, 0);
    await using watched = await issuing('frontend');
    const { page } = watched;
    await page.getByLabel('Proof').selectOption('A trusted issuer');
    await page.getByLabel('Issuer').selectOption('people');
    await page.getByLabel('Scopes').selectOption('None');
    await page.getByLabel('Subject (sub): names').fill('frontend\nbackend');
    await page.getByLabel('Claim with the subject to act for').fill('user');
    const issue = page.getByRole('button', { name: 'Issue', exact: true });
    await issue.press('Enter');
    await page.getByText('A claim with the subject needs the permission act for.').waitFor();
    await page.getByLabel('act for', { exact: true }).press('Space');
    await page.getByLabel('Acts for', { exact: true }).selectOption('all that begin with');
    await page.getByLabel('Acts for: begins with').fill('customer-');
    await expectFit(page);
    await issue.press('Enter');
    const id = (await page.locator('.secret').textContent()) ?? '';
    const { spec, federation } = await credentials.inspect(id);
    expect(spec.act_for).toEqual({ mode: 'prefix', prefix: 'customer-' });
    expect(federation).toEqual({
      ...{ issuer: 'people', sub: { mode: 'only', ids: ['frontend', 'backend'] } },
      ...{ claims: [], subject_claim: ['user'], token_seconds: 600 },
    });
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByRole('link', { name: 'frontend' }).press('Enter');
    await page.getByText('all that begin with customer-').waitFor();
    await expectClean(watched, served.company.url);
  });
});
