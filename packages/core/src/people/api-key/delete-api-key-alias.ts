/**
 * `deleteApiKeyAlias`: `deleteApiKey` under its second path.
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { apiKeyDeletion } from './api-key-deletion.js';

/** See {@link apiKeyDeletion}. */
export const deleteApiKeyAlias = defineOperation({ name: 'deleteApiKeyAlias', ...apiKeyDeletion });
