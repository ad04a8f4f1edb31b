/** The stored form of blocks of audit events. */
import type { ContentSpan, ValueLayout } from '../../storage/store/value.js';
import type { EventFields } from './event-fields.js';
import type { AuditQuota } from './quota-policy.js';

/** An event with its link. */
export type LinkedFields = readonly [link: string, fields: EventFields];

/** Consecutive events of one authority and quota that were stored together. */
export interface StoredBlock {
  readonly recordedAtMillis: number;
  /** The link of the event before the first one in the chain of the quota. */
  readonly previous: string;
  readonly quota: AuditQuota;
  /** Number of the first event in the chain of the quota. */
  readonly ordinal: number;
  readonly events: readonly LinkedFields[];
}

/** A decoded block. Blocks of version 1 are numbered by their sequence, which their key states. */
export type ReadBlock = Omit<StoredBlock, 'ordinal'> & { readonly ordinal: number | undefined };

/** A block to be stored, with the fields of each event as the text that its link covers. */
export interface NewBlock extends Omit<StoredBlock, 'events'> {
  readonly events: readonly { readonly link: string; readonly text: string }[];
}

/** The layout of blocks. */
export const blockLayout: ValueLayout<NewBlock, ReadBlock> = {
  version: 2,
  // Joined from existing texts, which were needed for the links.
  encode: ({ recordedAtMillis, previous, quota, ordinal, events }, before, behind) => {
    const all = events.map(({ link, text }) => `["${link}",${text}]`).join(',');
    const content = `[${recordedAtMillis},"${previous}","${quota}",${ordinal},[${all}]]`;
    const bytes = Buffer.allocUnsafe(before + Buffer.byteLength(content, 'utf8') + behind);
    bytes.write(content, before, 'utf8');
    return bytes;
  },
  decode: (content) => {
    const [recordedAtMillis, previous, quota, ordinal, events] = parsed(content) as [
      number,
      string,
      AuditQuota,
      number,
      LinkedFields[],
    ];
    return { recordedAtMillis, previous, quota, ordinal, events };
  },
  earlier: {
    1: (content) => {
      const [recordedAtMillis, previous, events] = parsed(content) as [
        number,
        string,
        LinkedFields[],
      ];
      return { recordedAtMillis, previous, quota: 'changes', ordinal: undefined, events };
    },
  },
};

function parsed({ bytes, start, end }: ContentSpan): unknown {
  return JSON.parse(bytes.toString('utf8', start, end));
}
