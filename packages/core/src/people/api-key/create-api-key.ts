/**
 * `createApiKey`: a new API key of the calling account, delivered once.
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { apiKeyCreation } from './api-key-creation.js';

/** See {@link apiKeyCreation}. */
export const createApiKey = defineOperation({ name: 'createApiKey', ...apiKeyCreation });
