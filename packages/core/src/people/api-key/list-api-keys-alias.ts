/**
 * `listApiKeysAlias`: `listApiKeys` under its second path.
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { apiKeyListing } from './api-key-listing.js';

/** See {@link apiKeyListing}. */
export const listApiKeysAlias = defineOperation({ name: 'listApiKeysAlias', ...apiKeyListing });
