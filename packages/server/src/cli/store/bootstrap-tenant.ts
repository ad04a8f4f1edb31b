/** `agentkeep bootstrap-tenant`: makes a tenant and its first administrator. */
import { AgentkeepError } from '@agentkeep/core';
import { bootstrapTenant as bootstrap } from '@agentkeep/core/operator';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { CHANGE_OPTIONS } from '../command/option-sets.js';
import { CommandError } from '../command/command-error.js';
import { deliver } from '../output/deliver.js';
import { keptSecret, SECRET_FLAG } from '../output/kept-secret.js';
import { openToChange } from './open-to-change.js';

/** Prints one JSON line with the secret. The secret is not stored. */
export const bootstrapTenant: ServiceCommand = {
  name: 'bootstrap-tenant',
  positionals: ['tenant-id', 'subject-id'],
  summary: 'Create a tenant and its first administrator; prints the secret once.',
  description: [
    'Makes a tenant and the credential of its first administrator, once per tenant. The ' +
      'administrator holds policy_admin and credential_admin and issues all other credentials.',
    'Prints one JSON line {"contract_version","credential","secret"}, or with --write-secret ' +
      'the path of the file instead of the secret. The secret is printed only once and cannot be ' +
      'read again. An existing tenant is never reset.',
    'The server must be stopped first.',
  ],
  options: CHANGE_OPTIONS,
  ownFlags: [SECRET_FLAG],
  examples: [
    'agentkeep bootstrap-tenant acme ops --data-dir ./data',
    'agentkeep bootstrap-tenant acme ops --write-secret ./acme-ops',
  ],
  run,
};

async function run({ io, options, positionals, flags }: Invocation): Promise<void> {
  const [tenantId = '', subjectId = ''] = positionals;
  await using keep = await openToChange(options);
  using keeper = keptSecret(flags);
  const issued = await bootstrap(keep, { tenantId, subjectId }).catch((error: unknown) => {
    throw explained(error, tenantId);
  });
  const otherwise =
    'As the master, appoint another administrator (POST ' +
    '/api/v1/admin/tenants/{tenant}/admin-credentials), or choose another tenant id.';
  await deliver(issued, { io, keeper, otherwise });
}

function explained(error: unknown, tenantId: string): unknown {
  if (!(error instanceof AgentkeepError) || error.code !== 'tenant_exists') return error;
  return new CommandError(
    `Tenant ${JSON.stringify(tenantId)} already exists and is never reset. Use its ` +
      'administrator, let the master appoint another one, or choose another tenant id.',
    { cause: error },
  );
}
