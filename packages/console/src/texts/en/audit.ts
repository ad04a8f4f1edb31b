/** The texts of the audit log in English. */
import { counted } from '../counted.js';

/** These texts. */
export const auditTexts = {
  audit: {
    title: 'Audit log',
    about: 'Sign-ins, refused requests and changes of permissions, newest first.',
    empty: 'No matching events',
    emptyText: 'Change the filters to see more events.',
    event: 'Event',
    anyEvent: 'Any event',
    result: 'Result',
    anyResult: 'Any result',
    username: 'Who',
    action: 'Action',
    resource: 'Resource',
    resourceHint: 'For example record:<id> or user:<id>',
    time: 'Time',
    address: 'Address',
    from: 'From',
    until: 'Until',
    details: 'Details',
    live: 'New events appear automatically.',
    arrived: (count: number) => (count === 1 ? 'One new event.' : `${String(count)} new events.`),
  },
  chain: {
    title: 'Verify the chain',
    about:
      'Each event contains the digest of the previous event. The server checks all events, from the oldest to the newest.',
    tenant: 'Tenant',
    tenantHint: 'Leave empty for the log of the installation.',
    verb: 'Verify',
    running: 'Verifying the chain',
    soFar: (checked: number, kept: number) =>
      `${counted(checked, 'event', 'events')} of ${kept.toLocaleString('en')} verified`,
    stopped: 'Verification stopped. Nothing was changed.',
    holds: 'The log is intact: no event was altered, removed or moved.',
    breaks:
      'Verification failed. Keep the store as evidence and compare it with an earlier snapshot.',
    log: 'Log',
    when: 'When',
    verified: 'Verified',
    amount: (events: number, blocks: number) =>
      `${counted(events, 'event', 'events')} in ${counted(blocks, 'block', 'blocks')}`,
    kept: (events: number) => `${counted(events, 'event', 'events')}, last digest`,
    digests: 'A copy of the log that ends with the same events has the same digests.',
    what: 'Problem',
    where: 'First affected event',
    chains: {
      changes: 'Changes',
      writes: 'Writes',
      logins: 'Failed sign-ins',
      calls: 'Refusals and reads',
    },
    reasons: {
      link_differs: 'The event, or one before it, was altered, removed, added or moved.',
      block_unreadable: 'The block that begins with the event cannot be read.',
      end_differs: 'The newest events are missing, or events were added after them.',
      head_missing:
        'The entry that marks the end of the chain is missing. This is the oldest stored event.',
    },
  },
} as const;
