/**
 * The credentials of a history, each with the calls that use or revoke it.
 */
import type { Call } from './call.js';
import { type CredentialEvent, credentialModel } from './credential-model.js';
import { judge } from './linearizability.js';
import type { Observed } from './observed.js';
import { operationOf } from './timing.js';

/** Calls may take effect until they return. Records and keys check that no effect is late. */
const NO_REVOCATIONS = new Map<string, number>();

/** Returns every credential that was used or revoked. */
export function observedCredentials(calls: readonly Call[]): Observed[] {
  const ids = new Set(calls.map(({ credential }) => credential));
  return [...ids].map((id) => ({
    name: `credential ${id}`,
    calls: calls.filter((call) => eventOn(id, call) !== undefined),
    judge: (some, statesMax) => {
      const operations = some.flatMap((call) => {
        const event = eventOn(id, call);
        return event === undefined ? [] : [operationOf(call, event, NO_REVOCATIONS)];
      });
      return judge(credentialModel, operations, statesMax);
    },
  }));
}

function eventOn(id: string, call: Call): CredentialEvent | undefined {
  const { request, answer, credential } = call;
  if (request.type === 'revoke' && request.credentialId === id) {
    if (answer.type !== 'refused') return 'revoked';
    // In these histories, only a revocation changes the revision of a credential.
    return answer.code === 'revision_conflict' ? 'revoked before' : undefined;
  }
  if (credential !== id || answer.type === 'unknown') return undefined;
  return answer.type === 'refused' && answer.code === 'unauthorized' ? 'refused' : 'believed';
}
