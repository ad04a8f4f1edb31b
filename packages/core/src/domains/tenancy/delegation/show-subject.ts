/** Shows what is stored of a subject. */
import type { Subject } from './schema.js';
import type { StoredSubject } from './subject-store.js';

/** Returns a subject as answers show it. */
export function showSubject(subject: StoredSubject): Subject {
  return {
    subject_id: subject.subjectId,
    revision: subject.revision,
    is_blocked: subject.isBlocked,
    capabilities: subject.capabilities === null ? null : [...subject.capabilities],
    scope_policy: structuredClone(subject.scopePolicy),
    updated_at_millis: subject.updatedAtMillis,
    updated_by: subject.updatedBy,
  };
}
