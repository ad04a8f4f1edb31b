/** Names the credentials whose secret was replaced, and whose secret before is still good. */
import type { Credential, GlobalCredential } from '@agentkeep/core';
import type { CallOperation } from '@agentkeep/core/clients';
import { type Finding, findingsOf } from './finding.js';

/** Pages of 100 credentials that are examined. */
const PAGES_MAX = 50;

/** Examines the credentials of the tenant if the caller may list them, else its own. */
export async function previousSecretFindings(
  call: CallOperation,
  own: Credential | GlobalCredential,
  nowMs: number,
): Promise<Finding[]> {
  const credentials = 'tenant_id' in own && isAdmin(own) ? await listed(call) : [own];
  return credentials.flatMap((credential) => {
    const previous = credential.previous_secret;
    if (previous === undefined || previous.ends_at_millis <= nowMs) return [];
    return [findingOf(credential, previous)];
  });
}

function isAdmin({ spec }: Credential): boolean {
  return spec.capabilities.includes('credential_admin');
}

async function listed(call: CallOperation): Promise<Credential[]> {
  const all: Credential[] = [];
  let position: { readonly cursor?: string } = {};
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const parameters = { contract_version: 1 as const, limit: 100, ...position };
    const { page } = await call('listTenantCredentials', { parameters });
    all.push(...page.items);
    if (page.next_cursor === null) break;
    position = { cursor: page.next_cursor };
  }
  return all;
}

type Previous = NonNullable<Credential['previous_secret']>;

function findingOf(
  { id, spec }: Credential | GlobalCredential,
  { ends_at_millis, last_used_at_millis }: Previous,
): Finding {
  const end = new Date(ends_at_millis).toISOString();
  const found = `The secret before of ${spec.subject_id} (${id}) is good until ${end}`;
  const result = findingsOf('credentials');
  if (last_used_at_millis === null) return result.ok(`${found}, and unused since the rotation.`);
  const used = new Date(last_used_at_millis).toISOString();
  const advice = 'Give its holder the new secret before then.';
  return result.warning(`${found}, and was used at ${used}.`, advice);
}
