/** The texts of reviews, branches and differences in English. */

import { counted } from '../counted.js';

/** These texts. */
export const reviewTexts = {
  differences: {
    added: 'added',
    removed: 'removed',
    changed: 'changed',
    members: {
      name: 'Name',
      primary: 'Text',
      secondary: 'Second text',
      context: 'Context',
      data: 'Data',
      metadata: 'Metadata',
      tags: 'Tags',
      type: 'Type',
      event: 'Event',
      validUntil: 'Valid until',
      source: 'Source',
      derivedFrom: 'Derived from',
    },
  },
  review: {
    title: 'Review',
    about: 'Changes proposed by agents that are waiting for a decision.',
    keys: 'Keyboard shortcuts in the list: J and K move, A accepts, R rejects, U undoes',
    states: { proposed: 'Waiting', merged: 'Accepted', rejected: 'Rejected' },
    state: 'State',
    list: 'Proposals',
    count: (count: number, hasMore: boolean) =>
      hasMore
        ? `The ${String(count)} oldest proposals of more`
        : counted(count, 'proposal', 'proposals'),
    empty: {
      proposed: 'No proposals are waiting',
      merged: 'No proposals were accepted in the last 30 days',
      rejected: 'No proposals were rejected in the last 30 days',
    },
    emptyText: 'Changes that agents propose for shared scopes appear here.',
    missingTitle: 'Proposal not found',
    missing: 'The proposal was withdrawn, expired, or was decided more than 30 days ago.',
    waits: (age: string) => `waiting for ${age}`,
    decided: {
      merged: (name: string) => `accepted by ${name} on`,
      rejected: (name: string) => `rejected by ${name} on`,
    },
    reason: 'Reason',
    accept: 'Accept',
    acceptSome: (count: number) => `Accept ${count} of them`,
    reject: 'Reject',
    rejectTitle: 'Reject this proposal',
    rejectText: 'The agent that proposed it sees the reason.',
    include: 'Include this change',
    of: (name: string) => `the proposal of ${name}`,
    decisions: 'Pending decisions',
    verdicts: {
      accept: (name: string) => `Accepting: ${name}`,
      reject: (name: string) => `Rejecting: ${name}`,
    },
    deciding: (kind: 'accept' | 'reject', name: string, seconds: number) =>
      `${kind === 'accept' ? 'Accepting' : 'Rejecting'}: ${name}. ` +
      `The decision is sent in ${String(seconds)} seconds. You can undo it until then.`,
    undo: 'Undo',
    sendNow: 'Send now',
    undone: (name: string) => `Undone: ${name}. The proposal is waiting again.`,
    sent: (kind: 'accept' | 'reject', name: string) =>
      `${kind === 'accept' ? 'Accepted' : 'Rejected'}: ${name}.`,
    refused: {
      accept: (name: string) => `Not accepted: ${name}`,
      reject: (name: string) => `Not rejected by you: ${name}`,
    },
    rejectedBefore: (name: string, reason: string) =>
      `${name} has already rejected the proposal. The reason of that decision stays: ${reason}`,
    yourReason: (reason: string) => `Your reason was not stored: ${reason}`,
    openProposal: 'Open the proposal',
    isDecided:
      'You have decided on this proposal. You can undo the decision below until it is sent.',
    merged: 'Accepted changes',
    moreMerged: (count: number) =>
      `${counted(count, 'more change', 'more changes')}, not shown here.`,
    notKept: 'The text of this revision is no longer kept.',
    actions: {
      created: ['new record', 'good'],
      updated: ['changed record', 'warned'],
      restored: ['restored record', 'warned'],
      deleted: ['deleted record', 'bad'],
      redacted: ['redacted revision', 'bad'],
    },
    created: 'new record',
    updated: 'changed record',
    deleted: 'deleted record',
    redacted: 'redacted revision',
    redacts: (revision: number) => `The text of revision ${revision} is permanently removed.`,
    conflict: {
      changed: 'The record has changed since the proposal, so this change cannot be accepted.',
      name_taken: 'Another record now has this name.',
    },
    stopped: 'Some changes conflict with the current records. Open the proposal and exclude them.',
    decidedElsewhere: 'Somebody else has already decided on this proposal. Choose another one.',
    gone: 'The changes of a rejected proposal are not kept.',
  },
  branchesScreen: {
    title: 'Branches',
    about: 'Copies of memory in which agents try changes that nobody else sees yet.',
    name: 'Name',
    purpose: 'Purpose',
    scopes: 'Scopes',
    author: 'Created by',
    ends: 'Ends',
    empty: 'No branches',
    emptyText: 'Agents create branches to try changes before others see them.',
    same: 'This branch has no changes.',
    merge: 'Merge',
    drop: 'Delete the branch',
    dropTitle: 'Delete this branch?',
    dropText: 'Changes in the branch are deleted. Changes that were merged stay.',
    merged: 'Merged.',
    back: 'All branches',
  },
} as const;
