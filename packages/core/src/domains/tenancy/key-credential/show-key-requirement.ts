/** Shows a key requirement. */
import type { StoredKeyRequirement } from '../credential/key-requirement-store.js';
import type { KeyRequirement } from './schema.js';

/** Returns a requirement as answers show it; revision 0 if none was ever stated. */
export function showKeyRequirement(requirement: StoredKeyRequirement | undefined): KeyRequirement {
  return {
    revision: requirement?.revision ?? 0,
    requires_keys: requirement?.requiresKeys ?? false,
    updated_at_millis: requirement?.updatedAtMillis ?? null,
    updated_by: requirement?.updatedBy ?? null,
  };
}
