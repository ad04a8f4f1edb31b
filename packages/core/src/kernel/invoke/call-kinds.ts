/**
 * The kinds of calls: which callers each one admits, as they are now, and which request its handler
 * gets.
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ReadTx, Settled } from '../../storage/store/store.js';
import {
  authorize,
  authorizeGlobal,
  authorizeParty,
  deniedRight,
  hasRole,
  refuseGlobalPrincipal,
  type Requirement,
  rightOf,
  rightOfGlobal,
  rightOfParty,
} from '../access/authorize.js';
import type { RequiredCapability } from '../access/capability.js';
import {
  type ActingCredential,
  type ActingGlobalCredential,
  keyOfAuthority,
  type Principal,
} from '../access/principal.js';
import { refuseErasedScopes } from '../erased/erasure-mark-store.js';
import type { InputSchemas, ParsedInput } from '../input/input-rules.js';
import type { PassedChecks, StartedCall } from '../operation/checks.js';
import {
  type AccountOperation,
  addsData,
  type InstallationOperation,
  keepsWithinQuota,
  mayBeginAgain,
  type Operation,
  type PublicOperation,
  type TenantOperation,
} from '../operation/operation.js';
import {
  type CallRequest,
  CredentialRequest,
  ProvedRequest,
  PublicRequest,
  TenantRequest,
} from '../operation/requests.js';
import { actingAuthority } from '../services/acting-authority.js';

/**
 * How calls of one kind run. `P` is the caller and `G` what the check of authority grants. Members
 * are methods, so that all kinds fit one type.
 */
export interface CallKind<
  O extends Operation = Operation,
  P extends Principal | undefined = Principal | undefined,
  G = unknown,
> {
  /** Refuses principals of the other side before any other check. */
  admit?(call: StartedCall, caller: P): void;
  /** Returns what the caller is granted, or throws. */
  authorize(call: StartedCall, operation: O, caller: P): G;
  /** Finds the authority that the call acts in. */
  chooseTenant?(call: StartedCall, caller: P): Settled<void>;
  /** Makes the request of a call that passed its checks. */
  request(
    call: StartedCall,
    operation: O,
    caller: P,
    passed: PassedChecks<G>,
  ): CallRequest<InputSchemas>;
  /**
   * Whether the caller is authenticated again before the handler, if a document has arrived
   * meanwhile.
   */
  isProvedAgain?(operation: O): boolean;
}

const publicCalls: CallKind<PublicOperation, Principal | undefined, void> = {
  authorize: () => undefined,
  request: (call, _operation, caller, { nowMs }) => new PublicRequest(call, nowMs, caller),
};

/** The rights that a check of authority granted to a credential of a tenant. */
interface TenantGrant {
  readonly credential: ActingCredential;
  readonly requirement: Requirement;
}

/** Returns the capabilities of which a call needs one. */
function requiredOf(
  stated: TenantOperation['requires']['capability'],
  input: ParsedInput<InputSchemas>,
): RequiredCapability | undefined {
  return typeof stated === 'object' && 'of' in stated ? stated.of(input) : stated;
}

const tenantCalls: CallKind<TenantOperation, Principal, TenantGrant> = {
  admit: (_call, principal) => {
    refuseGlobalPrincipal(principal);
  },
  authorize: ({ audit, input }, { requires }, principal) => {
    const { capability } = requires;
    const requirement: Requirement = {
      capability: requiredOf(capability, input.parsed),
      scope: requires.scope?.(input.parsed),
      scopes: requires.scopes?.(input.parsed),
    };
    try {
      const credential = authorize(principal, requirement);
      audit.right = rightOf(requirement, credential);
      return { credential, requirement };
    } catch (error) {
      audit.right = deniedRight(principal, requirement);
      throw error;
    }
  },
  request: (call, operation, principal, { granted, nowMs }) => {
    const { credential, requirement } = granted;
    const confirmed = operation.confirms === 'revision' ? requireUnchanged : requireProved;
    const caller = {
      principal,
      isWithinQuota: keepsWithinQuota(operation, call.input.parsed),
      addsData: addsData(operation, call.input.parsed),
      mayBeginAgain: mayBeginAgain(operation),
      authority: credential.tenantId,
      reauthenticate: (seen: Principal, current: Principal | undefined) =>
        authorize(confirmed(seen, current), requirement),
      refuse: (tx: ReadTx) => {
        const { scope, scopes } = requirement;
        const all = scope === undefined ? (scopes?.all ?? []) : [scope];
        refuseErasedScopes(tx, credential, all);
      },
      recheck: (seen: Principal, current: Principal | undefined) => {
        authorize(requireReader(seen, current), requirement);
      },
    };
    return new TenantRequest(call, nowMs, caller, credential);
  },
  isProvedAgain: ({ confirms }) => confirms === 'revision',
};

const installationCalls: CallKind<InstallationOperation, Principal, ActingGlobalCredential> = {
  admit: ({ audit }, { global }) => {
    if (global === null) audit.deny('authority');
  },
  authorize: ({ audit }, { requires }, principal) => {
    audit.right = rightOfGlobal(requires);
    return authorizeGlobal(principal, requires);
  },
  request: (call, operation, principal, { granted, nowMs }) => {
    const { requires } = operation;
    const caller = {
      principal,
      isWithinQuota: keepsWithinQuota(operation, call.input.parsed),
      addsData: addsData(operation, call.input.parsed),
      mayBeginAgain: mayBeginAgain(operation),
      authority: keyOfAuthority(principal.authority),
      reauthenticate: (seen: Principal, current: Principal | undefined) =>
        authorizeGlobal(requireUnchanged(seen, current), requires),
      recheck: (seen: Principal, current: Principal | undefined) => {
        authorizeGlobal(requireReader(seen, current), requires);
      },
    };
    return new CredentialRequest(call, nowMs, caller, granted);
  },
  isProvedAgain: ({ effect }) => effect !== 'read',
};

const accountCalls: CallKind<AccountOperation, Principal, void> = {
  authorize: ({ audit }, { requires }, principal) => {
    audit.right = rightOfParty(principal, requires);
    authorizeParty(principal, requires);
  },
  chooseTenant: async ({ runtime, audit, input }, principal) => {
    const { parameters = {} } = input.parsed as {
      parameters?: { readonly tenant_id?: string };
    };
    audit.actingIn = await runtime.store.read((tx) =>
      actingAuthority(tx, principal, parameters.tenant_id, runtime),
    );
  },
  request: (call, operation, principal, { nowMs }) => {
    const { requires } = operation;
    const caller = {
      principal,
      isWithinQuota: keepsWithinQuota(operation, call.input.parsed),
      addsData: addsData(operation, call.input.parsed),
      mayBeginAgain: mayBeginAgain(operation),
      authority: call.audit.actingIn ?? keyOfAuthority(principal.authority),
      reauthenticate: (_seen: Principal, current: Principal | undefined) => {
        if (current === undefined) throw new AgentkeepError('unauthorized');
        authorizeParty(current, requires);
        return current;
      },
      recheck: (seen: Principal, current: Principal | undefined) => {
        authorizeParty(requireReader(seen, current), requires);
      },
    };
    return new ProvedRequest(call, nowMs, caller);
  },
};

/** How the calls of each kind run. */
export const callKinds: Readonly<Record<Operation['kind'], CallKind>> = {
  public: publicCalls,
  tenant: tenantCalls,
  installation: installationCalls,
  account: accountCalls,
};

/**
 * Returns the caller of a read as it is now.
 *
 * @throws {AgentkeepError} `unauthorized` when the proof ended, as for any later call; `forbidden`
 * when it lost the role that was checked.
 */
function requireReader(seen: Principal, current: Principal | undefined): Principal {
  if (current === undefined) throw new AgentkeepError('unauthorized');
  if (seen.role !== null && !hasRole(current, seen.role)) throw new AgentkeepError('forbidden');
  return current;
}

/**
 * Returns the caller of a write as it is now.
 *
 * @throws {AgentkeepError} when the proof ended: `forbidden` for an account, else `unauthorized`.
 */
function requireProved(seen: Principal, current: Principal | undefined): Principal {
  if (current !== undefined) return current;
  throw new AgentkeepError(seen.kind === 'account' ? 'forbidden' : 'unauthorized');
}

/**
 * Returns the caller of a write if its role and its credential's revision are those that were
 * checked.
 *
 * @throws {AgentkeepError} `revision_conflict`; `forbidden` when the proof of an account ended.
 */
function requireUnchanged(seen: Principal, current: Principal | undefined): Principal {
  if (current === undefined) {
    throw new AgentkeepError(seen.kind === 'account' ? 'forbidden' : 'revision_conflict');
  }
  const isSame =
    current.role === seen.role &&
    current.credential?.revision === seen.credential?.revision &&
    current.global?.revision === seen.global?.revision;
  if (!isSame) throw new AgentkeepError('revision_conflict');
  return current;
}
