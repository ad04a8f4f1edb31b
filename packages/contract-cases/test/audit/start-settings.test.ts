/**
 * Audit events of a start: changed security settings and signing keys
 * (docs/contract/audit.md#aud-57).
 */
import { generateKeyPairSync } from 'node:crypto';
import { type AuditEvent, openKeep, type Store } from '@agentkeep/core';
import { recordStartup, type SecuritySettings } from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { expect, test } from 'vitest';
import { httpDriver } from '../harness/http-driver.js';
import { installation } from '../installation/installation-fixture.js';
import { lasting } from '../harness/lasting-store.js';

const pem = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2_048 })
    .privateKey.export({ format: 'pem', type: 'pkcs8' })
    .toString();

interface Start {
  readonly settings?: SecuritySettings;
  readonly privateKeyPem?: string;
  readonly additionalKeyPem?: string;
  readonly isAudited?: boolean;
}

/** Starts and stops a server. */
async function start(store: Store, { settings, isAudited = true, ...tokens }: Start) {
  const clock = new ManualClock();
  const ports = { clock, passwords: quickPasswords, tokens, audit: { enabled: isAudited } };
  await using keep = await openKeep({ store, ...ports });
  await recordStartup(keep, settings);
}

/** Returns the events of changed settings, oldest first. */
async function changes(store: Store): Promise<AuditEvent[]> {
  await using on = await installation(httpDriver, { store });
  const found = await on.events('configuration_changed');
  return found.filter(({ resource }) => resource === 'system').toReversed();
}

test('AUD-59 names the changes since the last start, once', async () => {
  const store = lasting();
  const settings = { host: '::', trusted_proxies: ['10.0.0.0/8'] };
  await start(store, { settings });
  await start(store, { settings });
  await start(store, { settings: { trusted_proxies: ['10.0.0.0/16'], audit_reads: true } });
  await start(store, { settings: { trusted_proxies: ['10.0.0.0/16'], audit_reads: true } });
  await start(store, {});
  const found = await changes(store);
  expect(found.map(({ metadata }) => metadata)).toEqual([
    { changed: ['audit_reads', 'host', 'trusted_proxies'] },
    { changed: ['audit_reads', 'trusted_proxies'] },
  ]);
  expect(found[0]).toMatchObject({
    event_type: 'configuration_changed',
    result: 'success',
    user_id: null,
    username: null,
    tenant_id: null,
  });
});

test('AUD-59 names the signing keys, including those that only verify', async () => {
  const store = lasting();
  const [first, second] = [pem(), pem()];
  await start(store, {});
  await start(store, {});
  await start(store, { privateKeyPem: first });
  await start(store, { privateKeyPem: second, additionalKeyPem: first });
  await start(store, { privateKeyPem: second, additionalKeyPem: first });
  await start(store, { privateKeyPem: second });
  const found = await changes(store);
  expect(found.map(({ metadata }) => metadata)).toEqual(
    Array.from({ length: 3 }, () => ({ changed: ['signing_keys'] })),
  );
});

test('a start without an audit log is remembered too', async () => {
  const store = lasting();
  await start(store, {});
  await start(store, { settings: { audit_enabled: false }, isAudited: false });
  await start(store, {});
  expect((await changes(store)).map(({ metadata }) => metadata)).toEqual([
    { changed: ['audit_enabled'] },
  ]);
});
