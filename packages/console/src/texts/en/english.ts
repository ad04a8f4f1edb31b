/** Every text of the console in English. Another language is another file of this shape. */
import { counted } from '../counted.js';
import { accessTexts } from './access.js';
import { accountTexts } from './account.js';
import { auditTexts } from './audit.js';
import { credentialTexts } from './credentials.js';
import { basisTexts } from './basis.js';
import { findTexts } from './find.js';
import { invitationTexts } from './invitations.js';
import { learningTexts } from './learning.js';
import { limitTexts } from './limits.js';
import { machineTexts } from './machine.js';
import { memoryTexts } from './memory.js';
import { overviewTexts } from './overview.js';
import { peopleTexts } from './people.js';
import { reviewTexts } from './review.js';
import { timelineTexts } from './timelines.js';

/** The texts, by the place where they are shown. */
export const texts = {
  locale: 'en',
  product: 'Agentkeep',
  skip: 'Skip to the content',
  loading: 'Loading…',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  apply: 'Apply',
  more: 'Show more',
  stop: 'Stop',
  none: 'None',
  lose: {
    title: 'Discard what you entered?',
    text: 'It is not saved.',
    stay: 'Keep editing',
    lose: 'Discard',
  },
  loseSecret: {
    title: 'Have you kept the secret?',
    text: 'It is shown only this once. Without it you have to issue a new one.',
    stay: 'Back to the secret',
    lose: 'Leave without it',
  },
  zone: (zone: string) => `Times are in your time zone, ${zone}.`,
  noTime: (field: string) =>
    `“${field}” needs a date that exists and a time of day, such as 2035-02-28T09:30.`,
  menu: {
    label: 'Screens',
    button: 'Menu',
    scopes: 'Memory',
    review: 'Review',
    branches: 'Branches',
    learning: 'Learning',
    access: 'Access',
    audit: 'Audit log',
    system: 'System',
    tenants: 'Tenants',
    webhooks: 'Webhooks',
    erasures: 'Erasures',
    account: 'My account',
  },
  person: {
    signOut: 'Sign out',
    live: 'Live',
    notLive: 'Not live',
    installation: 'The installation',
    still: (name: string) => `You are still signed in as ${name}.`,
  },
  signIn: {
    title: 'Sign in',
    ended: 'Your session has ended. Sign in again.',
    ways: 'How to sign in',
    byPassword: 'Password',
    bySecret: 'Secret',
    tenant: 'Tenant',
    tenantHint: 'Leave it empty for an account of the installation.',
    username: 'Username',
    password: 'Password',
    secret: 'Secret of a credential',
    secretHint: 'It stays in the memory of this page and is forgotten when you leave it.',
    go: 'Sign in',
    issuers: 'Other ways to sign in',
    issuer: (name: string) => `Sign in with ${name}`,
  },
  failures: {
    unexpected: 'Something went wrong in this page. Load it again.',
    request: (id: string) => `Request ${id}`,
    byCode: {
      unauthorized: 'The server does not accept this proof. Sign in again.',
      server_unreachable: 'The server does not answer. Check that it runs, then try again.',
      revision_conflict:
        'Somebody else changed this meanwhile. Look at what is there now, then decide again.',
      history_gone: 'What is needed to show this moment is no longer kept. Choose a later one.',
      rate_limit_exceeded: 'Too many requests at once. Wait a moment, then try again.',
    },
  },
  nothing: {
    title: 'Nothing to see yet',
    text: 'You are signed in and have no rights here. Ask an administrator for a role or a credential.',
  },
  unknown: {
    title: 'There is no such screen',
    text: 'The address is wrong or out of date.',
    home: 'Go to memory',
  },
  scopes: {
    title: 'Memory',
    about: 'Every scope that you may see, and how much is stored there.',
    scope: 'Scope',
    subject: 'Subject',
    records: 'Records',
    deleted: 'Deleted',
    lastChange: 'Last change',
    shared: 'shared',
    isPrivate: 'private',
    private: (subject: string) => `private to ${subject}`,
    empty: 'Nothing is stored that you may see',
    emptyText:
      'A scope appears here once an agent stores something in it. The private memory of others is ' +
      'not listed.',
    filter: 'Show scopes with',
    filterHint: 'A part of a name, of the agent or of the subject',
    shows: 'Shared or private',
    anyVisibility: 'Both',
    onlyShared: 'Only shared',
    onlyPrivate: 'Only private',
    shownOf: (shown: number, all: number, isAll: boolean) =>
      `${shown.toLocaleString('en')} of ${counted(all, 'scope', 'scopes')}` +
      (isAll ? '' : ' loaded so far'),
    noneShown: 'No scope fits',
    noneShownText: 'Change the text, or show shared and private scopes.',
    openTitle: 'Open a scope',
    openText: 'Your credential may read scopes that are not listed. Open one by its names.',
    project: 'Project',
    agent: 'Agent',
    mission: 'Mission',
    visibility: 'Visibility',
    open: 'Open',
  },
  memory: {
    ask: 'Ask this memory',
    askHint: 'A question, in your own words',
    recall: 'Recall',
    clear: 'Show all records',
    create: 'New record',
    tags: 'Tags, separated by commas',
    records: (count: number, isAll: boolean, total: number | undefined) =>
      isAll
        ? counted(count, 'record', 'records')
        : total === undefined
          ? `${counted(count, 'record', 'records')} loaded`
          : `${count.toLocaleString('en')} of ${counted(total, 'record', 'records')} loaded`,
    found: (count: number) => `${counted(count, 'record', 'records')} found`,
    foundMore: (count: number) =>
      `The best ${String(count)} records, and there are more. Ask more precisely, or filter.`,
    chips:
      'Beside each record are the words of the question that it has, and in how many records each is: ' +
      'the rarer a word, the more it counts.',
    why: 'Found by',
    nearby: 'near it',
    rarity: (records: number) => counted(records, 'record has it', 'records have it'),
    distance: (distance: number) => `distance ${distance.toFixed(3)}`,
    empty: 'No record here',
    emptyText: 'Nothing is stored in this scope, or the filters leave nothing.',
    emptyFound: 'Nothing was found',
    emptyFoundText: 'No record has a word of the question. Ask in other words.',
    at: 'As of',
    now: 'Now',
    atText: (time: string) => `This is what was known on ${time}.`,
    missing: (count: number) =>
      count === 1
        ? 'One record of that time is no longer stored and is not shown.'
        : `${counted(count, 'record', 'records')} of that time are no longer stored and are not shown.`,
    completeFrom: (time: string) => `The history of this scope is complete from ${time}.`,
    showEarliest: 'Show that time',
    backToNow: 'Back to now',
    changed: (count: number) => counted(count, 'change since', 'changes since'),
    noText: 'No text',
    list: 'Records',
    noScope: 'The address names no scope',
  },
  record: {
    title: 'Record',
    edit: 'Edit',
    delete: 'Delete',
    redact: 'Redact',
    restore: 'Restore',
    content: 'What it says',
    primary: 'Text',
    secondary: 'Second text',
    context: 'Context',
    data: 'Data (JSON)',
    metadata: 'Metadata (JSON object)',
    name: 'Name',
    tags: 'Tags',
    type: 'Type',
    event: 'Event',
    eventTime: 'Event time',
    validUntil: 'Valid until',
    source: 'Source',
    author: 'Author',
    merged: 'Merged by',
    created: 'Created',
    modified: 'Changed',
    revision: 'Revision',
    id: 'Id',
    history: 'History',
    revisions: (revision: number) => `Revision ${revision}`,
    isCurrent: 'current',
    touches: {
      title: 'Who touched this record',
      deeds: {
        created: () => 'created it',
        changed: (revision: number) => `made revision ${String(revision)}`,
        deleted: () => 'deleted it',
        redacted: (revision: number) => `redacted revision ${String(revision)}`,
      },
      newest: (count: number) => `These are the newest ${String(count)} revisions.`,
    },
    wasDeleted: 'The record was deleted.',
    wasRedacted: 'The content of this revision was taken away for good.',
    first: 'First revision',
    nothingChanged: 'Nothing changed.',
    sources: 'Derived from',
    dependents: 'What was derived from it',
    lost: (reason: string) => `this source was ${reason}`,
    by: (name: string) => `by ${name}`,
    deleteTitle: 'Delete this record?',
    deleteText: 'Its content is taken away. What was derived from it stays, unless you say so.',
    deleteConflict: 'This record was changed before you deleted it',
    deleteChanged: 'Delete it as it is now',
    cascade: 'Delete what was derived from it, too',
    redactTitle: (revision: number) => `Take the content of revision ${revision} away for good?`,
    redactText: 'Nobody can read or restore it afterwards.',
    newTitle: 'New record',
    editTitle: 'Edit the record',
    conflict: 'This record was changed while you edited it',
    conflictText: (revision: number, author: string) =>
      `It is at revision ${revision} now, by ${author}. What differs from what you began with:`,
    keepMine: 'Save mine over it',
    takeTheirs: 'Take theirs',
    badJson: 'This is no JSON object.',
    badData: 'This is no JSON.',
    waitsTitle: 'This is proposed',
    waits: 'Your change waits for review.',
    gone: 'There is no such record, or it was deleted',
    goneText: 'The address may be out of date.',
  },
  ...findTexts,
  ...overviewTexts,
  ...learningTexts,
  ...basisTexts,
  ...timelineTexts,
  ...memoryTexts,
  ...reviewTexts,
  ...credentialTexts,
  ...limitTexts,
  ...peopleTexts,
  ...invitationTexts,
  ...accessTexts,
  ...accountTexts,
  ...auditTexts,
  ...machineTexts,
} as const;
