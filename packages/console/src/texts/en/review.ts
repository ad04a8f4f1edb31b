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
    about: 'Changes that agents propose and that wait for somebody to decide.',
    keys: 'Single keys in the list: J and K choose, A accepts, R rejects, U undoes',
    states: { proposed: 'Waiting', merged: 'Accepted', rejected: 'Rejected' },
    state: 'State',
    list: 'Proposals',
    count: (count: number, hasMore: boolean) =>
      hasMore
        ? `The oldest ${String(count)} proposals, and there are more`
        : counted(count, 'proposal', 'proposals'),
    empty: {
      proposed: 'Nothing waits for review',
      merged: 'Nothing was accepted in the last 30 days',
      rejected: 'Nothing was rejected in the last 30 days',
    },
    emptyText: 'What agents propose for shared scopes appears here.',
    missingTitle: 'There is no such proposal',
    missing:
      'It was withdrawn, it ended without a decision, or its decision is older than 30 days.',
    waits: (age: string) => `waits for ${age}`,
    decided: {
      merged: (name: string) => `accepted by ${name} on`,
      rejected: (name: string) => `rejected by ${name} on`,
    },
    reason: 'Reason',
    accept: 'Accept',
    acceptSome: (count: number) => `Accept ${count} of them`,
    reject: 'Reject',
    rejectTitle: 'Why is this rejected?',
    rejectText: 'The agent that proposed it sees the reason.',
    include: 'Include this change',
    of: (name: string) => `the proposal of ${name}`,
    decisions: 'Decisions that are not sent yet',
    verdicts: {
      accept: (name: string) => `Accepting: ${name}`,
      reject: (name: string) => `Rejecting: ${name}`,
    },
    deciding: (kind: 'accept' | 'reject', name: string, seconds: number) =>
      `${kind === 'accept' ? 'Accepting' : 'Rejecting'}: ${name}. ` +
      `This is sent in ${String(seconds)} seconds, and can be undone until then.`,
    undo: 'Undo',
    sendNow: 'Send now',
    undone: (name: string) => `Undone: ${name}. The proposal waits again.`,
    sent: (kind: 'accept' | 'reject', name: string) =>
      `${kind === 'accept' ? 'Accepted' : 'Rejected'}: ${name}.`,
    refused: {
      accept: (name: string) => `Not accepted: ${name}`,
      reject: (name: string) => `Not rejected by you: ${name}`,
    },
    rejectedBefore: (name: string, reason: string) =>
      `${name} had rejected it before, with this reason, which stays: ${reason}`,
    yourReason: (reason: string) => `Your reason was not stored: ${reason}`,
    openProposal: 'Open the proposal',
    isDecided: 'You have decided this. Until the decision is sent, you can undo it below.',
    merged: 'What was accepted',
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
    redacts: (revision: number) => `The text of revision ${revision} goes for good.`,
    conflict: {
      changed: 'The record was changed meanwhile, so this can not be accepted as it is.',
      name_taken: 'Another record has this name by now.',
    },
    stopped: 'Changes of it are in conflict with what is stored now. Open it, and leave them out.',
    decidedElsewhere: 'Somebody else has decided this meanwhile. Choose another one.',
    gone: 'What a rejected proposal would have changed is not kept.',
  },
  branchesScreen: {
    title: 'Branches',
    about: 'Copies of memory in which agents try something, without anybody else seeing it.',
    name: 'Name',
    purpose: 'Why',
    scopes: 'Scopes',
    author: 'Made by',
    ends: 'Ends',
    empty: 'There is no branch',
    emptyText: 'Agents make branches to try changes before others see them.',
    same: 'This branch changed nothing.',
    merge: 'Merge',
    drop: 'Drop the branch',
    dropTitle: 'Drop this branch?',
    dropText: 'Everything in it goes. What it merged stays.',
    merged: 'Merged.',
    back: 'All branches',
  },
} as const;
