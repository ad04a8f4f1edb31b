/** Decides whether a selector selects a subject. */
import type { SubjectSelector } from './subject-selector.js';

/** Returns whether a selector selects a subject. Ids are compared exactly. */
export function selectsSubject(selector: SubjectSelector, subjectId: string): boolean {
  switch (selector.mode) {
    case 'all':
      return true;
    case 'prefix':
      return subjectId.startsWith(selector.prefix);
    case 'only':
      return selector.ids.includes(subjectId);
  }
}
