/** Audit events of created and deleted API keys. */
import type { EventSubject } from '../../../kernel/audit/call-events.js';

/** Returns the event of a created key. */
export function apiKeyCreated(keyId: string): EventSubject {
  return apiKeyEvent('api_key_created', keyId);
}

/** Returns the event of a key that was deleted, alone or with its account. */
export function apiKeyRevoked(keyId: string): EventSubject {
  return apiKeyEvent('api_key_revoked', keyId);
}

/** Returns the event of a key of another account that an administrator revoked. */
export function apiKeyRevokedOf(keyId: string, accountId: string): EventSubject {
  const event = apiKeyRevoked(keyId);
  return { ...event, metadata: { ...event.metadata, user_id: accountId } };
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
