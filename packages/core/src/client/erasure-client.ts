/** Client of erasures. */
import { requireArguments } from '../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { CallOperation, CallOptions, OutputOf, PartsOf } from './call.js';
import { directoryParameters, everyItem } from './lists/page-walk.js';

type Erasure = OutputOf<'getErasure'>['erasure'];

/** Erasures of subjects and scopes; needs the capability `credential_admin`. */
export class ErasureClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /**
   * Begins to erase a subject or a scope for good, and returns at once. There is no way back. The
   * work follows in slices beside everything else: `get` says how far it has got. Nothing acts for
   * an erased subject until `subjects.put` admits it anew.
   */
  async start(
    target: PartsOf<'startErasure'>['document']['target'],
    options?: CallOptions,
  ): Promise<Erasure> {
    requireArguments('erasures.start()', { target });
    const document = { contract_version: CONTRACT_VERSION, target };
    const { erasure } = await this.#call('startErasure', { document }, options);
    return erasure;
  }

  /** Returns an erasure, with its certificate once it is finished. */
  async get(id: string, options?: CallOptions): Promise<Erasure> {
    requireArguments('erasures.get()', { id });
    const { erasure } = await this.#call('getErasure', { id }, options);
    return erasure;
  }

  /** Yields every erasure of the tenant, the oldest first. */
  list(options: { readonly limit?: number } & CallOptions = {}): AsyncGenerator<Erasure, void> {
    return everyItem(async (position) => {
      const parameters = directoryParameters({ ...options, ...position });
      return (await this.#call('listErasures', { parameters }, options)).page;
    });
  }
}
