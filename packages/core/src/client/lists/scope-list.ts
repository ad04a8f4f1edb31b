/** The request for a page of what a scope or a tenant has. */
import type { ScopeInput } from '../../kernel/access/scope.js';
import { refuseUnknownOptions, requireArguments } from '../../contract/errors/arguments.js';
import { type DirectoryRequest, directoryParameters } from './directory-request.js';

/** Returns the document that asks for a page, after checking the arguments of a call. */
export function scopeListDocument(call: string, scope: ScopeInput, options: DirectoryRequest) {
  requireArguments(call, { scope });
  return { ...tenantListParameters(call, options), scope };
}

/** Returns the parameters that ask for a page, after checking the options of a call. */
export function tenantListParameters(call: string, options: DirectoryRequest) {
  refuseUnknownOptions(call, options, ['limit', 'cursor', 'signal']);
  return directoryParameters(options);
}
