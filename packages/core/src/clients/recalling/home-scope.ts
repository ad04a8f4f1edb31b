/** The scope that is meant where a caller names none. */
import type { ScopeInput } from '../../access/scope.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { CallOperation } from '../call.js';

/** Finds the scope once, and remembers it. */
export class HomeScope {
  readonly #call: CallOperation;
  #scope: ScopeInput | undefined;

  /** A scope that is given is the one; otherwise it is the only one of the credential. */
  constructor(call: CallOperation, given: ScopeInput | undefined) {
    this.#call = call;
    this.#scope = given;
  }

  /**
   * Returns the scope.
   * @throws {AgentkeepError} `invalid_request` where the credential has no scope, or several.
   */
  async scope(called: string): Promise<ScopeInput> {
    this.#scope ??= await this.#onlyGrant(called);
    return this.#scope;
  }

  async #onlyGrant(called: string): Promise<ScopeInput> {
    const { spec } = (await this.#call('whoAmI', {})).credential;
    const [only, ...others] = spec.grants;
    if (only !== undefined && others.length === 0 && spec.scope_policy === undefined) return only;
    const message =
      `${called}: the credential is not granted exactly one scope, so it is open which one is meant. ` +
      'Name it: `memory.in(scope)` has the same methods.';
    throw new AgentkeepError('invalid_request', { message });
  }
}
