/** The stored form of blocks of audit events. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { VALUE_BYTES_MAX } from '../../storage/store/store.js';
import type { ContentSpan, ValueLayout } from '../../storage/store/value.js';
import type { EventFields } from './event-fields.js';
import type { AuditQuota } from './quota-policy.js';

/** An event with its link. */
type LinkedFields = readonly [link: string, fields: EventFields];

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

/** A block to be stored, with the fields of each event as the text that its link covers. */
export interface NewBlock extends Omit<StoredBlock, 'events'> {
  readonly events: readonly { readonly link: string; readonly text: string }[];
}

/** The first byte of deflated content. JSON never starts with it. */
const DEFLATED = 1;

/** Content from this size on is deflated. Below it, little is gained. */
const DEFLATED_BYTES_MIN = 1_024;

/** The layout of blocks: JSON, deflated where it is long, because most members of events repeat. */
export const blockLayout: ValueLayout<NewBlock, StoredBlock> = {
  version: 3,
  // Joined from existing texts, which were needed for the links.
  encode: ({ recordedAtMillis, previous, quota, ordinal, events }, before, behind) => {
    const all = events.map(({ link, text }) => `["${link}",${text}]`).join(',');
    const content = `[${recordedAtMillis},"${previous}","${quota}",${ordinal},[${all}]]`;
    const size = Buffer.byteLength(content, 'utf8');
    // Content that is too long for a value is refused, and never deflated to one that is not.
    if (size >= DEFLATED_BYTES_MIN && size <= VALUE_BYTES_MAX) {
      const deflated = deflateRawSync(content, { level: 1 });
      const bytes = Buffer.allocUnsafe(before + 1 + deflated.length + behind);
      bytes[before] = DEFLATED;
      bytes.set(deflated, before + 1);
      return bytes;
    }
    const bytes = Buffer.allocUnsafe(before + size + behind);
    bytes.write(content, before, 'utf8');
    return bytes;
  },
  decode: (content) => {
    const isDeflated = content.bytes[content.start] === DEFLATED;
    return blockOf(isDeflated ? inflated(content) : parsed(content));
  },
};

function blockOf(content: unknown): StoredBlock {
  const [recordedAtMillis, previous, quota, ordinal, events] = content as [
    number,
    string,
    AuditQuota,
    number,
    LinkedFields[],
  ];
  return { recordedAtMillis, previous, quota, ordinal, events };
}

function inflated({ bytes, start, end }: ContentSpan): unknown {
  const options = { maxOutputLength: VALUE_BYTES_MAX };
  return JSON.parse(inflateRawSync(bytes.subarray(start + 1, end), options).toString('utf8'));
}

function parsed({ bytes, start, end }: ContentSpan): unknown {
  return JSON.parse(bytes.toString('utf8', start, end));
}
