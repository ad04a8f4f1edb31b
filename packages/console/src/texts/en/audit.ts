/** The texts of the audit log in English. */
import { counted } from '../counted.js';

/** These texts. */
export const auditTexts = {
  audit: {
    title: 'Audit log',
    about: 'Sign-ins, refused requests and changes of permissions, the newest first.',
    empty: 'No event matches',
    emptyText: 'Change the filters to see more.',
    event: 'Event',
    anyEvent: 'Any event',
    result: 'Result',
    anyResult: 'Any result',
    username: 'Who',
    action: 'Action',
    resource: 'Resource',
    time: 'Time',
    address: 'Address',
    from: 'From',
    until: 'Until',
    details: 'Details',
    live: 'New events appear by themselves.',
    arrived: (count: number) => (count === 1 ? 'One new event.' : `${String(count)} new events.`),
  },
  chain: {
    title: 'Verify the chain',
    about:
      'Each event holds the digest of the one before. The server follows them from the oldest event to the newest.',
    tenant: 'Tenant',
    tenantHint: 'Leave it empty for the log of the installation.',
    verb: 'Verify',
    running: 'Verifying the chain',
    soFar: (checked: number, kept: number) =>
      `${counted(checked, 'event', 'events')} of ${kept.toLocaleString('en')} verified`,
    stopped: 'The verification was stopped. It has changed nothing.',
    holds: 'The log is whole: no event was altered, removed or moved.',
    breaks:
      'The log does not verify. Keep the store as evidence, and compare it with a snapshot from before.',
    log: 'Log',
    when: 'When',
    verified: 'Verified',
    amount: (events: number, blocks: number) =>
      `${counted(events, 'event', 'events')} in ${counted(blocks, 'block', 'blocks')}`,
    kept: (events: number) => `${counted(events, 'event', 'events')}, to the digest`,
    digests: 'A copy of the log that ends with the same events has the same digests.',
    what: 'What is wrong',
    where: 'First at event',
    chains: {
      changes: 'Changes',
      writes: 'Writes',
      logins: 'Failed logins',
      calls: 'Refusals and reads',
    },
    reasons: {
      link_differs: 'The event, or one before it, was altered, removed, added or moved.',
      block_unreadable: 'The block that begins with the event cannot be read.',
      end_differs: 'The newest events are missing, or others were added behind them.',
      head_missing: 'What says where the chain ends is gone. This is the oldest stored event.',
    },
  },
} as const;
