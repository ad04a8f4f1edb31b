/**
 * `createApiKeyAlias`: `createApiKey` under its second path.
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { apiKeyCreation } from './api-key-creation.js';

/** See {@link apiKeyCreation}. */
export const createApiKeyAlias = defineOperation({ name: 'createApiKeyAlias', ...apiKeyCreation });
