/** Who is signed in, and what they may do. It decides what is shown, the server all the rest. */
import type { Agent, Capability, Credential } from '@agentkeep/client';
import { isRefusal } from './refusals.js';

/** A person, or a credential, that is signed in. */
export interface Caller {
  /** The username of an account, or the subject of a credential. */
  readonly name: string;
  /** Absent for the installation. */
  readonly tenantId: string | undefined;
  /** The credential that it acts with; absent for accounts without one. */
  readonly credential: Credential | undefined;
  /** Whether it is an account, which may have no credential. */
  readonly isAccount: boolean;
  readonly roles: readonly string[];
}

interface Claims {
  readonly username: string;
  readonly tenant_id?: string;
  readonly roles: readonly string[];
}

/** Finds out who an agent is. `accessToken` is that of an account. */
export async function findCaller(agent: Agent, accessToken?: string): Promise<Caller> {
  const claims = accessToken === undefined ? undefined : claimsOf(accessToken);
  const credential = await agent.whoAmI().catch((error: unknown) => {
    // An account needs no credential.
    if (claims !== undefined && isRefusal(error, 'forbidden')) return undefined;
    throw error;
  });
  return {
    name: claims?.username ?? credential?.spec.subject_id ?? '',
    tenantId: claims?.tenant_id ?? credential?.tenant_id,
    credential,
    isAccount: claims !== undefined,
    roles: claims?.roles ?? [],
  };
}

/** Returns whether a caller has a capability. */
export function may({ credential }: Caller, capability: Capability): boolean {
  return credential?.spec.capabilities.includes(capability) === true;
}

/** Returns whether a caller is an administrator of its tenant, or of the installation. */
export function isAdministrator(caller: Caller): boolean {
  const { roles } = caller;
  return roles.includes('Admin') || roles.includes('SuperAdmin') || may(caller, 'credential_admin');
}

function claimsOf(token: string): Claims {
  const [, payload = ''] = token.split('.');
  const bytes = Uint8Array.from(
    atob(payload.replaceAll('-', '+').replaceAll('_', '/')),
    (character) => character.charCodeAt(0),
  );
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
}
