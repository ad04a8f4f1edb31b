/** Client of who reaches what in a tenant. */
import type { ScopeInput } from '../kernel/access/scope.js';
import { requireArguments } from '../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { CredentialSpecInput } from '../domains/tenancy/credential/schema.js';
import { type CallOperation, type CallOptions, type OutputOf, stated } from './call.js';
import { directoryParameters, type DirectoryRequest, everyItem } from './lists/page-walk.js';

type Page<N extends 'listScopes' | 'listKnownSubjects' | 'listScopeHolders' | 'previewReach'> =
  OutputOf<N>['page'];
type ItemOf<P extends { items: unknown[] }> = P['items'][number];

/** Options of a list that is walked to its end. */
type WalkOptions = { readonly limit?: number } & CallOptions;

/** A subject, or a credential that is not issued yet. */
type ReachSource =
  | { readonly subjectId: string; readonly spec?: never }
  | { readonly spec: CredentialSpecInput; readonly subjectId?: never };

/** Scopes, subjects, and who reaches what; needs the capability `credential_admin`. */
export class AccessClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Yields every scope in which something was stored, with counts and the last change. */
  scopes(options: WalkOptions = {}): AsyncGenerator<ItemOf<Page<'listScopes'>>, void> {
    return everyItem(async (position) => {
      const parameters = directoryParameters({ ...options, ...position });
      return (await this.#call('listScopes', { parameters }, options)).page;
    });
  }

  /** Yields every subject that has a credential, a private scope or limits. */
  subjects(options: WalkOptions = {}): AsyncGenerator<ItemOf<Page<'listKnownSubjects'>>, void> {
    return everyItem(async (position) => {
      const parameters = directoryParameters({ ...options, ...position });
      return (await this.#call('listKnownSubjects', { parameters }, options)).page;
    });
  }

  /**
   * Yields the live credentials that can reach a scope. For a private one, `subjectId` asks who
   * reaches that of this subject: its own credentials, and services that may act for it.
   */
  holders(
    scope: ScopeInput,
    { subjectId, ...options }: { readonly subjectId?: string } & WalkOptions = {},
  ): AsyncGenerator<ItemOf<Page<'listScopeHolders'>>, void> {
    requireArguments('access.holders()', { scope });
    const subject = stated({ subject_id: subjectId });
    return everyItem(async (position) => {
      const document = { ...directoryParameters({ ...options, ...position }), scope, ...subject };
      return (await this.#call('listScopeHolders', { document }, options)).page;
    });
  }

  /**
   * Yields the scopes that a subject reaches with its live credentials, or that a credential with
   * this spec would reach. Nothing is issued.
   */
  reach(
    source: ReachSource,
    options: WalkOptions = {},
  ): AsyncGenerator<ItemOf<Page<'previewReach'>>, void> {
    requireArguments('access.reach()', { source });
    return everyItem((position) => this.reachPage(source, { ...options, ...position }));
  }

  /** Returns one page of {@link reach}. It may be short or empty and have a next one. */
  async reachPage(
    source: ReachSource,
    request: DirectoryRequest = {},
  ): Promise<Page<'previewReach'>> {
    requireArguments('access.reachPage()', { source });
    const { subjectId, spec } = source;
    const wanted = subjectId === undefined ? { spec } : { subject_id: subjectId };
    const document = {
      ...directoryParameters(request),
      ...(wanted as { subject_id: string } | { spec: CredentialSpecInput }),
      contract_version: CONTRACT_VERSION,
    };
    const { signal } = request;
    return (await this.#call('previewReach', { document }, { signal })).page;
  }
}
