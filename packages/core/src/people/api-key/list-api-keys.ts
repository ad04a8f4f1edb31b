/**
 * `listApiKeys`: the API keys of the calling account, newest first.
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { apiKeyListing } from './api-key-listing.js';

/** See {@link apiKeyListing}. */
export const listApiKeys = defineOperation({ name: 'listApiKeys', ...apiKeyListing });
