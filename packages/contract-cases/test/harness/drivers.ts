/** The two transports behind one interface, so that each case of the contract is written once. */
import { AgentkeepError, CONTRACT_VERSION, type OperationName, operations } from '@agentkeep/core';
import { type CallerProof, embeddedInput } from '@agentkeep/core/operator';
import { routes, successStatus } from '@agentkeep/client/routes';
import { afterFile } from '@agentkeep/testkit/after-file';
import { httpDriver } from './http-driver.js';
import { statuses } from './statuses.js';
import { type Driver, isApiKey } from './transport.js';

/** In process, as an embedding program calls, with errors mapped by the catalogue. */
const embeddedDriver: Driver = {
  name: 'embedded',
  open: (keep) => async (name, token, parts) => {
    const proof = token === undefined ? undefined : proofOf(token);
    try {
      const body = await keep.invoke(operations[name], embeddedInput(parts), { proof });
      return { operation: name, status: successStatus(routes[name], body), body };
    } catch (error) {
      if (!(error instanceof AgentkeepError)) throw error;
      return { operation: name, status: statuses[error.kind], body: bodyOf(name, error) };
    }
  },
};

function proofOf(token: string): CallerProof {
  return isApiKey(token) ? { kind: 'api_key', key: token } : { kind: 'bearer', token };
}

function bodyOf(name: OperationName, error: AgentkeepError): object {
  const { wireCode: code, advice: message, details, members } = error;
  const named = members.length > 0 ? { members } : {};
  return routes[name].surface === 'account'
    ? { error: code, message, ...named, ...details }
    : { contract_version: CONTRACT_VERSION, error: { code, message, ...named }, ...details };
}

/** All transports. */
export const drivers: readonly Driver[] = [embeddedDriver, httpDriver];

let isFirst = true;

/**
 * Returns the transports of the next case of a file. Each case runs over HTTP, which calls the same
 * operations; the first case of a file runs in process too, as do races and orders of checks.
 */
export function caseDrivers(): readonly Driver[] {
  if (!isFirst) return [httpDriver];
  isFirst = false;
  afterFile(() => {
    isFirst = true;
    return Promise.resolve();
  });
  return drivers;
}
