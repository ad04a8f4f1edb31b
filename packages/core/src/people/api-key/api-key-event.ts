/**
 * The events of API keys that are made or deleted.
 * @module
 */
import type { EventSubject } from '../../runtime/audit/call-events.js';

/** The event of a key that was made. */
export function apiKeyCreated(keyId: string): EventSubject {
  return apiKeyEvent('api_key_created', keyId);
}

/** The event of a key that was deleted, by itself or with its account. */
export function apiKeyRevoked(keyId: string): EventSubject {
  return apiKeyEvent('api_key_revoked', keyId);
}

function apiKeyEvent(type: 'api_key_created' | 'api_key_revoked', keyId: string): EventSubject {
  return {
    type,
    action: type,
    resource: `api_key:${keyId}`,
    result: 'success',
    metadata: { key_id: keyId },
  };
}
