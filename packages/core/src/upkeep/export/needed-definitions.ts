/** The definitions of a tenant that what is in a scope refers to, so that an export has them. */
import type { Experience } from '../../domains/learning/experience/schema.js';
import type { StoredProposal } from '../../domains/learning/procedure/procedure-store.js';
import type { ToolDevelopment } from '../../domains/learning/tool/development-schema.js';
import type { FamilyName } from '../families/families.js';

/** Ids of policies, contexts and executors. */
export interface NeededDefinitions {
  /** The families whose values refer to definitions. */
  readonly families: readonly FamilyName[];
  /** Notes what a value refers to. */
  add(family: FamilyName, value: unknown): void;
  /** Returns whether a definition was referred to. */
  has(family: FamilyName, id: string | number | undefined): boolean;
}

/** Returns an empty set. */
export function neededBy(): NeededDefinitions {
  const ids = new Set<string>();
  const note = (family: FamilyName, id: string): void => void ids.add(`${family} ${id}`);
  return {
    families: ['learningProposals', 'toolDevelopments', 'experiences'],
    add: (family, value) => {
      if (family === 'learningProposals') {
        const { request } = value as StoredProposal;
        note('learningPolicies', request.policy_id);
        note('learningContexts', request.context_id);
      } else if (family === 'toolDevelopments') {
        note('toolExecutors', (value as ToolDevelopment).receipt.request.executor_id);
      } else {
        note('learningContexts', (value as Experience).receipt.request.context_id);
      }
    },
    has: (family, id) => ids.has(`${family} ${String(id)}`),
  };
}
