/** Texts of the overview, in English. */
import { counted } from '../counted.js';

/** The texts. */
export const overviewTexts = {
  overview: {
    title: 'Overview',
    stored: 'Stored',
    records: (records: number) => counted(records, 'record', 'records'),
    inScopes: (scopes: number, isAll: boolean) =>
      `in ${isAll ? '' : 'the first '}${counted(scopes, 'scope', 'scopes')}`,
    others: (scopes: number, records: number) =>
      `including ${counted(records, 'record', 'records')} in ` +
      `${counted(scopes, 'scope', 'scopes')} that you cannot read`,
    activity: 'Last 24 hours',
    changed: (records: number, isAll: boolean) =>
      `${isAll ? '' : 'At least '}${counted(records, 'record', 'records')} changed`,
    unchanged: 'No changes',
    changedBy: (authors: string, others: number) =>
      `by ${authors}${others === 0 ? '' : ` and ${counted(others, 'other', 'others')}`}`,
    changedScopes: (scopes: number) => `in ${counted(scopes, 'scope', 'scopes')}`,
    newestScopes: (most: number) => `Counted in the ${String(most)} scopes that changed last.`,
    log: 'Open the audit log',
    waiting: 'Waiting for review',
    proposals: (count: number, isAll: boolean) =>
      `${counted(count, 'proposal', 'proposals')}${isAll ? '' : ' or more'}`,
    noProposals: 'No proposals',
    oldest: (age: string) => `The oldest has been waiting for ${age}.`,
    review: 'Review proposals',
    failing: 'Needs attention',
    fine: 'No problems found',
    webhooks: (count: number) => `${counted(count, 'webhook is', 'webhooks are')} failing`,
    deadLetters: (count: number) => counted(count, 'dead letter', 'dead letters'),
    erasures: (count: number) => `${counted(count, 'erasure is', 'erasures are')} still running`,
    locked: (count: number, isAll: boolean) =>
      `${counted(count, 'name is', 'names are')} locked${isAll ? '' : ', or more'}`,
  },
} as const;
