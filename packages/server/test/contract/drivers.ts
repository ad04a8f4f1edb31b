/**
 * The two ways in, behind one interface, so that each case of the contract is written once.
 * @module
 */
import {
  AgentkeepError,
  CONTRACT_VERSION,
  embeddedInput,
  operations,
  type Proof,
} from '@agentkeep/core';
import { statusOfKind } from '../../src/http/status.js';
import { routes } from '../../src/routes.js';
import { httpDriver } from './http-driver.js';
import type { Driver } from './transport.js';

/** In process: what an embedding program does, with errors mapped as the catalogue says. */
const embeddedDriver: Driver = {
  name: 'embedded',
  open: (keep) => async (name, token, parts) => {
    const proof: Proof | undefined = token === undefined ? undefined : { kind: 'bearer', token };
    try {
      const body = await keep.invoke(operations[name], embeddedInput(parts), { proof });
      return { operation: name, status: routes[name].status, body };
    } catch (error) {
      if (!(error instanceof AgentkeepError)) throw error;
      const { wireCode: code, message } = error;
      const body = { contract_version: CONTRACT_VERSION, error: { code, message } };
      return { operation: name, status: statusOfKind[error.kind], body };
    }
  },
};

/** All ways in. */
export const drivers: readonly Driver[] = [embeddedDriver, httpDriver];
