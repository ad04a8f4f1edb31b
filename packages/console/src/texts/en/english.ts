/** Every text of the console in English. Another language is another file of this shape. */
import { counted } from '../counted.js';
import { accessTexts } from './access.js';
import { accountTexts } from './account.js';
import { auditTexts } from './audit.js';
import { codingAgentTexts } from './coding-agents.js';
import { credentialTexts } from './credentials.js';
import { basisTexts } from './basis.js';
import { findTexts } from './find.js';
import { invitationTexts } from './invitations.js';
import { learningTexts } from './learning.js';
import { limitTexts } from './limits.js';
import { machineTexts } from './machine.js';
import { memoryTexts } from './memory.js';
import { overviewTexts } from './overview.js';
import { pauseTexts } from './pause.js';
import { peopleTexts } from './people.js';
import { reviewTexts } from './review.js';
import { settingTexts } from './settings.js';
import { supersedingTexts } from './superseding.js';
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
    text: 'Your changes have not been saved.',
    stay: 'Keep editing',
    lose: 'Discard',
  },
  loseSecret: {
    title: 'Have you saved the secret?',
    text: 'The secret is shown only once. If you lose it, you have to issue a new one.',
    stay: 'Back to the secret',
    lose: 'Leave without saving it',
  },
  zone: (zone: string) => `Times are in your time zone, ${zone}.`,
  noTime: (field: string) => `“${field}” must be a valid date and time, such as 2035-02-28T09:30.`,
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
    tenantHint: 'Leave empty for an account of the installation.',
    username: 'Username',
    password: 'Password',
    secret: 'Secret of a credential',
    secretHint: 'It stays in the memory of this page and is forgotten when you leave it.',
    go: 'Sign in',
    issuers: 'Other ways to sign in',
    issuer: (name: string) => `Sign in with ${name}`,
  },
  failures: {
    unexpected: 'Something went wrong. Reload the page.',
    request: (id: string) => `Request ${id}`,
    byCode: {
      unauthorized: 'The server did not accept these credentials. Sign in again.',
      server_unreachable: 'The server is not responding. This page loads again once it does.',
      revision_conflict:
        'Somebody else has changed this. Review the current version, then try again.',
      history_gone: 'The history for this time is no longer kept. Choose a later time.',
      rate_limit_exceeded: 'Too many requests. Wait a moment, then try again.',
    },
  },
  nothing: {
    title: 'You have no permissions yet',
    text: 'You are signed in, but you have no permissions here. Ask an administrator for a role.',
  },
  unknown: {
    title: 'Page not found',
    text: 'The address is wrong or out of date.',
    home: 'Go to memory',
  },
  scopes: {
    title: 'Memory',
    about: 'The scopes that you can see, with the number of records in each.',
    scope: 'Scope',
    subject: 'Subject',
    records: 'Records',
    deleted: 'Deleted',
    lastChange: 'Last change',
    shared: 'shared',
    isPrivate: 'private',
    private: (subject: string) => `private to ${subject}`,
    empty: 'No memory to show',
    emptyText:
      'A scope appears here when an agent stores its first record. Private memory of other people ' +
      'is not listed.',
    filter: 'Show scopes with',
    filterHint: 'Part of a scope name, agent or subject',
    shows: 'Shared or private',
    anyVisibility: 'Both',
    onlyShared: 'Only shared',
    onlyPrivate: 'Only private',
    shownOf: (shown: number, all: number, isAll: boolean) =>
      `${shown.toLocaleString('en')} of ${counted(all, 'scope', 'scopes')}` +
      (isAll ? '' : ' loaded so far'),
    noneShown: 'No matching scopes',
    noneShownText: 'Change the text, or show both shared and private scopes.',
    openTitle: 'Open a scope',
    openText:
      'Your credential can read scopes that are not listed. Enter a project and an agent to open one.',
    project: 'Project',
    agent: 'Agent',
    mission: 'Mission',
    visibility: 'Visibility',
    open: 'Open',
  },
  memory: {
    ask: 'Ask this memory',
    askHint: 'Ask a question in your own words',
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
      `The ${String(count)} best matches of more. Ask a more specific question, or add a filter.`,
    chips:
      'Each record lists the matching words of your question. The number after a word says how many ' +
      'records contain it; rare words count more.',
    why: 'Found by',
    nearby: 'nearby',
    rarity: (records: number) => counted(records, 'record contains it', 'records contain it'),
    distance: (distance: number) => `distance ${distance.toFixed(3)}`,
    empty: 'No records',
    emptyText: 'This scope is empty, or no record matches the filters.',
    emptyFound: 'No matching records',
    emptyFoundText: 'No record contains a word of your question. Try other words.',
    at: 'As of',
    now: 'Now',
    atText: (time: string) => `Memory as of ${time}.`,
    missing: (count: number) =>
      count === 1
        ? 'One record of that time is no longer stored and is not shown.'
        : `${counted(count, 'record', 'records')} of that time are no longer stored and are not shown.`,
    completeFrom: (time: string) => `The history of this scope is complete from ${time}.`,
    showEarliest: 'Show that time',
    oldest: (time: string) => `oldest record: ${time}`,
    backToNow: 'Back to now',
    changed: (count: number) => `Show ${counted(count, 'new change', 'new changes')}`,
    noText: 'No text',
    list: 'Records',
    noScope: 'The address does not name a scope',
  },
  record: {
    title: 'Record',
    edit: 'Edit',
    delete: 'Delete',
    redact: 'Redact',
    restore: 'Restore',
    content: 'Content',
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
      title: 'Activity on this record',
      deeds: {
        created: () => 'created it',
        changed: (revision: number) => `made revision ${String(revision)}`,
        deleted: () => 'deleted it',
        redacted: (revision: number) => `redacted revision ${String(revision)}`,
      },
      newest: (count: number) => `Showing the ${String(count)} newest revisions.`,
      audit: 'Audit log of this record',
      readBy: 'Read by',
      reads: (count: number) => (count === 1 ? 'one read, last' : `${String(count)} reads, last`),
      unread: (days: number) => `No reads in the last ${String(days)} days.`,
      moreReaders: 'There are more readers.',
    },
    wasDeleted: 'The record was deleted.',
    wasRedacted: 'The content of this revision was permanently removed.',
    first: 'First revision',
    nothingChanged: 'Nothing changed.',
    sources: 'Derived from',
    dependents: 'Derived records',
    lost: (reason: string) => `source ${reason}`,
    by: (name: string) => `by ${name}`,
    deleteTitle: 'Delete this record?',
    deleteText:
      'The content of the record is removed. Records derived from it stay unless you choose to delete them.',
    deleteConflict: 'This record changed before you deleted it',
    deleteChanged: 'Delete the current version',
    cascade: 'Also delete records derived from it',
    redactTitle: (revision: number) => `Permanently remove the content of revision ${revision}?`,
    redactText: 'The content cannot be read or restored afterwards.',
    newTitle: 'New record',
    editTitle: 'Edit the record',
    conflict: 'This record changed while you edited it',
    conflictText: (revision: number, author: string) =>
      `${author} saved revision ${revision}. Changes since you began editing:`,
    keepMine: 'Overwrite with my version',
    takeTheirs: 'Use the other version',
    badJson: 'Enter a JSON object.',
    badData: 'Enter valid JSON.',
    waitsTitle: 'Change proposed',
    waits: 'Your change is waiting for review.',
    gone: 'Record not found',
    goneText: 'The record was deleted, or the address is out of date.',
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
  ...pauseTexts,
  ...peopleTexts,
  ...invitationTexts,
  ...accessTexts,
  ...accountTexts,
  ...auditTexts,
  ...machineTexts,
  ...settingTexts,
  ...supersedingTexts,
  ...codingAgentTexts,
} as const;
