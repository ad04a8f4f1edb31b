/** Checks a call as the kind of its operation demands, then hands it to the handler. */
import {
  authorizeGlobal,
  refuseGlobalPrincipal,
  rightOfGlobal,
} from '../access/authorize-global.js';
import { authorizeParty, rightOfParty } from '../access/authorize-party.js';
import { authorize, deniedRight, type Requirement, rightOf } from '../access/authorize.js';
import { keyOfAuthority } from '../access/authority.js';
import { requireProved, requireReader, requireUnchanged } from '../access/confirm-principal.js';
import type { Principal } from '../access/principal.js';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { actingAuthority } from './acting-authority.js';
import { CredentialCall, ProvedCall, PublicCall } from './call-request.js';
import { type PassedChecks, passChecks, type StartedCall } from './checks.js';
import type { InputSchemas } from './input-rules.js';
import {
  type AccountOperation,
  type InstallationOperation,
  keepsWithinQuota,
  type Operation,
  type PublicOperation,
  type TenantOperation,
} from './operation.js';
import type { CallRequest } from './requests.js';
import { readAtOnce, type Settled, whenSettled } from '../storage/store/read-at-once.js';

/**
 * Answers a call.
 *
 * @throws {AgentkeepError} as the checks of the operation and its handler do.
 */
export function answerCall(
  call: StartedCall,
  operation: Operation,
  caller: Principal | undefined,
): Settled<unknown> {
  if (operation.kind === 'public') return answerPublic(call, operation, caller);
  if (caller === undefined) throw new AgentkeepError('unauthorized');
  if (caller.kind === 'account') call.audit.authenticated();
  switch (operation.kind) {
    case 'tenant':
      return answerTenant(call, operation, caller);
    case 'installation':
      return answerInstallation(call, operation, caller);
    case 'account':
      return answerAccount(call, operation, caller);
  }
}

function answerPublic(
  call: StartedCall,
  operation: PublicOperation,
  caller: Principal | undefined,
): Settled<unknown> {
  const passing = passChecks(call, operation, { authorize: () => undefined });
  return whenSettled(passing, ({ nowMs }) =>
    operation.handler(new PublicCall(call, nowMs, caller)),
  );
}

function answerTenant(
  call: StartedCall,
  operation: TenantOperation,
  principal: Principal,
): Settled<unknown> {
  // Reject principals of the other kind before any other check.
  refuseGlobalPrincipal(principal);
  const passing = passChecks(call, operation, {
    authorize: () => authorizeTenant(call, operation, principal),
  });
  return whenSettled(passing, (passed) => handleTenant(call, operation, principal, passed));
}

function handleTenant(
  call: StartedCall,
  operation: TenantOperation,
  principal: Principal,
  { granted, nowMs }: PassedChecks<ReturnType<typeof authorizeTenant>>,
): Settled<unknown> {
  const { credential, requirement } = granted;
  const confirmed = operation.confirms === 'revision' ? requireUnchanged : requireProved;
  const caller = {
    principal,
    isWithinQuota: keepsWithinQuota(operation, call.input.parsed),
    authority: credential.tenantId,
    reproof: (seen: Principal, current: Principal | undefined) =>
      authorize(confirmed(seen, current), requirement),
    recheck: (seen: Principal, current: Principal | undefined) => {
      authorize(requireReader(seen, current), requirement);
    },
  };
  const request = new CredentialCall(call, nowMs, caller, credential);
  const isProvedAgain = operation.confirms === 'revision';
  const ready = isProvedAgain ? confirmAfterBody(request, operation) : undefined;
  return whenSettled(ready, () =>
    call.call.takesText === true && operation.printed !== undefined
      ? operation.printed(request)
      : handle(call, operation, principal, request),
  );
}

/** Hands a request to its handler, once a heavy call has its place. */
function handle<R>(
  { load }: StartedCall,
  operation: { readonly isHeavy?: boolean; handler(request: R): Settled<unknown> },
  principal: Principal,
  request: R,
): Settled<unknown> {
  if (operation.isHeavy !== true) return operation.handler(request);
  return load.begin(principal).then(() => operation.handler(request));
}

function authorizeTenant(
  { audit, input }: StartedCall,
  { requires }: TenantOperation,
  principal: Principal,
) {
  const { capability } = requires;
  const requirement: Requirement = {
    capability: typeof capability === 'object' ? capability.of(input.parsed) : capability,
    scope: requires.scope?.(input.parsed),
    scopes: requires.scopes?.(input.parsed),
  };
  try {
    const credential = authorize(principal, requirement);
    audit.right = rightOf(requirement);
    return { credential, requirement };
  } catch (error) {
    audit.right = deniedRight(principal, requirement);
    throw error;
  }
}

function answerInstallation(
  call: StartedCall,
  operation: InstallationOperation,
  principal: Principal,
): Settled<unknown> {
  const { requires } = operation;
  // Reject principals of the other kind before any other check.
  if (principal.global === null) call.audit.deny('authority');
  const passing = passChecks(call, operation, {
    authorize: () => {
      call.audit.right = rightOfGlobal(requires);
      return authorizeGlobal(principal, requires);
    },
  });
  return whenSettled(passing, (passed) => handleInstallation(call, operation, principal, passed));
}

function handleInstallation(
  call: StartedCall,
  operation: InstallationOperation,
  principal: Principal,
  { granted, nowMs }: PassedChecks<ReturnType<typeof authorizeGlobal>>,
): Settled<unknown> {
  const { requires } = operation;
  const caller = {
    principal,
    isWithinQuota: keepsWithinQuota(operation, call.input.parsed),
    authority: keyOfAuthority(principal.authority),
    reproof: (seen: Principal, current: Principal | undefined) =>
      authorizeGlobal(requireUnchanged(seen, current), requires),
    recheck: (seen: Principal, current: Principal | undefined) => {
      authorizeGlobal(requireReader(seen, current), requires);
    },
  };
  const request = new CredentialCall(call, nowMs, caller, granted);
  const ready = operation.effect === 'read' ? undefined : confirmAfterBody(request, operation);
  return whenSettled(ready, () => handle(call, operation, principal, request));
}

/**
 * Proves the caller of an administrative write again where its body took time to arrive, so that a
 * proof which ended meanwhile is refused as such. Its transaction tells conflicts of revisions.
 */
function confirmAfterBody(
  { runtime }: Pick<CallRequest<InputSchemas>, 'runtime'>,
  { input }: Operation,
): Settled<void> {
  return input.document === undefined ? undefined : readAtOnce(runtime.store, () => undefined);
}

function answerAccount(
  call: StartedCall,
  operation: AccountOperation,
  principal: Principal,
): Settled<unknown> {
  const { runtime, audit, input } = call;
  const { requires } = operation;
  const passing = passChecks(call, operation, {
    authorize: () => {
      audit.right = rightOfParty(principal, requires);
      authorizeParty(principal, requires);
    },
    chooseTenant: () => {
      const { parameters = {} } = input.parsed as {
        parameters?: { readonly tenant_id?: string };
      };
      const reading = readAtOnce(runtime.store, (tx) =>
        actingAuthority(tx, principal, parameters.tenant_id, runtime),
      );
      return whenSettled(reading, (authority) => {
        audit.actingIn = authority;
      });
    },
  });
  return whenSettled(passing, ({ nowMs }) => handleAccount(call, operation, principal, nowMs));
}

function handleAccount(
  call: StartedCall,
  operation: AccountOperation,
  principal: Principal,
  nowMs: number,
): Settled<unknown> {
  const { requires } = operation;
  const { audit } = call;
  const caller = {
    principal,
    isWithinQuota: keepsWithinQuota(operation, call.input.parsed),
    authority: audit.actingIn ?? keyOfAuthority(principal.authority),
    reproof: (_seen: Principal, current: Principal | undefined) => {
      if (current === undefined) throw new AgentkeepError('unauthorized');
      authorizeParty(current, requires);
      return current;
    },
    recheck: (seen: Principal, current: Principal | undefined) => {
      authorizeParty(requireReader(seen, current), requires);
    },
  };
  return handle(call, operation, principal, new ProvedCall(call, nowMs, caller));
}
