/**
 * `deleteApiKey`: the end of an API key.
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { apiKeyDeletion } from './api-key-deletion.js';

/** See {@link apiKeyDeletion}. */
export const deleteApiKey = defineOperation({ name: 'deleteApiKey', ...apiKeyDeletion });
