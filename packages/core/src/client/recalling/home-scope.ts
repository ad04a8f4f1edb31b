/** The scope that is meant where a caller names none. */
import type { MemoryScopeInput } from '../../kernel/access/scope.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { CallOperation } from '../call.js';

/** Finds the scope once, and remembers it. */
export class HomeScope {
  readonly #call: CallOperation;
  #scope: MemoryScopeInput | undefined;

  /** A scope that is given is the one; otherwise it is the only one of the credential. */
  constructor(call: CallOperation, given: MemoryScopeInput | undefined) {
    this.#call = call;
    this.#scope = given;
  }

  /**
   * Returns the scope.
   * @throws {AgentkeepError} `invalid_request` where the credential has no scope, or several.
   */
  async scope(called: string): Promise<MemoryScopeInput> {
    this.#scope ??= await this.#onlyGrant(called);
    return this.#scope;
  }

  async #onlyGrant(called: string): Promise<MemoryScopeInput> {
    const { spec } = (await this.#call('whoAmI', {})).credential;
    const [only, ...others] = spec.grants;
    if (only !== undefined && others.length === 0 && spec.scope_policy === undefined) return only;
    const isNone = only === undefined && spec.scope_policy === undefined;
    throw isNone ? noScope(called) : missingScope(called, others.length + 1);
  }
}

function missingScope(called: string, count: number): AgentkeepError {
  const granted = count > 1 ? `${count} scopes` : 'scopes by a policy';
  const [, method = ''] = called.split('.');
  const message =
    `${called}: \`scope\` is missing, because the credential is granted ${granted}. ` +
    `Name the one that is meant: memory.in(scope).${method}.`;
  const members = [{ path: 'scope', expected: 'one of the granted scopes' }];
  return new AgentkeepError('invalid_request', { message, members });
}

function noScope(called: string): AgentkeepError {
  const message =
    `${called}: the credential is granted no \`scope\`. Call it with that of an agent, ` +
    'or have an administrator grant it a scope.';
  const members = [{ path: 'scope', expected: 'a scope that is granted to the credential' }];
  return new AgentkeepError('invalid_request', { message, members });
}
