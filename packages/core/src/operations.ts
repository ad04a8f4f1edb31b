/** Every operation of Agentkeep, as the domains list them. */
import { deepFreeze } from './contract/deep-freeze.js';
import { domains, type Operations } from './domains.js';

/** The operations by name. */
export const operations: Operations = deepFreeze(
  Object.assign({}, ...domains.map((domain) => domain.operations)) as Operations,
);

/** Name of an operation. */
export type OperationName = keyof Operations;
