/** Attacks by a tenant whose storage quota is full: writes that are served above it. */
import { connectAdministrator } from '@agentkeep/server/client';
import { type AbusedSite, FULL, goodScope } from '../abused-site.js';
import type { Attack } from '../attack.js';
import { LocalClient, type LocalRequest } from '../local-client.js';

const COMMANDS = 256;
/** More than the changes of this attack and the events that the audit log keeps take. */
const GROWTH_MAX = 2_000_000;

/** Repeated redactions with fresh keys, and retention of unused scopes. */
const beyondQuota: Attack = {
  name: 'beyond a full quota',
  run: async ({ site, amounts, from, enough }) => {
    using client = new LocalClient(site.url, from);
    const before = await bytesOf(site);
    for (let number = 0; number < amounts.beyondQuota; number += 1) {
      await client.ask(redactions(site, number));
      await client.ask(retention(site, number));
    }
    await enough;
    const grown = (await bytesOf(site)) - before;
    const isBounded = grown <= GROWTH_MAX;
    const violations = isBounded ? [] : [`A full tenant grew by ${String(grown)} bytes.`];
    return { attempts: 2 * amounts.beyondQuota, violations };
  },
};

function redactions({ full, redactedRecord }: AbusedSite, number: number): LocalRequest {
  const operation = { type: 'redact', record_id: redactedRecord, revision: 1 };
  const document = {
    contract_version: 1,
    idempotency_key: `again ${String(number)}`,
    commands: Array.from({ length: COMMANDS }, () => ({ scope: goodScope, operation })),
  };
  return { method: 'POST', path: '/api/v1/memory/batches', secret: full.agent, document };
}

function retention({ full }: AbusedSite, number: number): LocalRequest {
  const scope = { ...goodScope, project_id: `made up ${String(number)}` };
  const document = {
    contract_version: 1,
    scope,
    expected_revision: 0,
    retention: { revisions_max: 1 },
  };
  return { method: 'PUT', path: '/api/v1/memory/retention', secret: full.admin, document };
}

async function bytesOf({ url, master: secret }: AbusedSite): Promise<number> {
  const { tenants } = connectAdministrator({ url, secret });
  const { use } = await tenants.quota(FULL);
  return use?.bytes ?? 0;
}

/** All of them. */
export const attacksOnQuotas: readonly Attack[] = [beyondQuota];
