/** Tenants of an attacker that have webhooks, so that no attack takes the places of another. */
import type { Agent, Keep, ScopeInput } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';

const ATTACKS = ['switching', 'silent', 'open', 'slow'] as const;
const TENANTS_OF_ATTACK = 8;

/** What the receivers of an attack do. */
export type WebhookAttack = (typeof ATTACKS)[number];

/** Secrets of programs that have webhooks and write, each of a tenant of its own. */
export type WebhookOwners = Readonly<Record<WebhookAttack, readonly string[]>>;

/** Makes the tenants of all attacks with webhooks. */
export async function makeWebhookOwners(keep: Keep, scope: ScopeInput): Promise<WebhookOwners> {
  const owners: Record<WebhookAttack, string[]> = { switching: [], silent: [], open: [], slow: [] };
  for (const attack of ATTACKS) {
    for (let at = 0; at < TENANTS_OF_ATTACK; at += 1) {
      const tenant = { tenantId: `${attack} ${at}`, subjectId: 'ops' };
      const { secret } = await bootstrapTenant(keep, tenant);
      owners[attack].push(await issueOwner(await keep.authenticate(secret), scope));
    }
  }
  return owners;
}

/** Issues a credential that may have webhooks, and returns its secret. */
export async function issueOwner({ credentials }: Agent, scope: ScopeInput): Promise<string> {
  const { secret } = await credentials.issue({
    subject_id: 'hooks',
    capabilities: ['memory_read', 'memory_write', 'credential_admin'],
    grants: [scope],
  });
  return secret;
}
