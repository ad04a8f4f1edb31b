/**
 * The stored head of an authority: where its events end, and the hash chain of each quota, of which
 * each link is the SHA-256 of the previous link, the event and its position.
 */
import { sha256Text } from '../../contract/digest.js';
import { fieldsLayout, nested, number, orNull, text } from '../../storage/store/fields.js';
import type { AuditQuota } from './quota-policy.js';

/** The chain of one quota. Its events are numbered from 0, without gaps. */
export interface ChainEnd {
  /** Number of the oldest event that is kept. */
  readonly first: number;
  /** Number of the next event. */
  readonly next: number;
  /** Link of the newest event. */
  readonly link: string;
  /** Id of the newest event. */
  readonly lastId: string;
  /** Number after the oldest stored block. */
  readonly oldestEnd: number;
  /** When the oldest stored block was recorded. */
  readonly oldestMillis: number;
}

/** Where the events of an authority end. */
export interface AuditHead {
  /** Tenant id, or `INSTALLATION`. */
  readonly authority: string;
  /** Sequence number of the next event. All quotas share the sequence. */
  readonly next: number;
  /** When the newest event was recorded. Never goes back. */
  readonly recordedAtMillis: number;
  /** The longest time between an event and its recording so far. */
  readonly lagMillis: number;
  /** The chains; null for one without any event so far. */
  readonly chains: Readonly<Record<AuditQuota, ChainEnd | null>>;
}

const chainEnd = orNull(
  nested<ChainEnd>({
    first: number,
    next: number,
    link: text,
    lastId: text,
    oldestEnd: number,
    oldestMillis: number,
  }),
);

/** The layout of heads. */
export const headLayout = fieldsLayout<AuditHead>(2, {
  authority: text,
  next: number,
  recordedAtMillis: number,
  lagMillis: number,
  chains: nested<AuditHead['chains']>({
    changes: chainEnd,
    writes: chainEnd,
    logins: chainEnd,
    calls: chainEnd,
  }),
});

/** The position of an event in its chain. */
export interface ChainPosition {
  /** The tenant, or an empty text for the installation. */
  readonly authority: string;
  /** The link of the previous event in the chain. */
  readonly previous: string;
  /** The sequence number among all events of the authority, of every quota. */
  readonly sequence: number;
  readonly recordedAtMillis: number;
}

/** The link before the first event of a quota of an authority. */
export function firstLink(authority: string, quota: AuditQuota): string {
  return digest(`agentkeep audit chain 2\n${quota}\n${authority}`);
}

/** Returns the link of an event, whose members are given as one unambiguous text. */
export function linkOf(position: ChainPosition, text: string): string {
  const { authority, previous, sequence, recordedAtMillis } = position;
  // The event comes last, because only its form varies. The other parts hold no line breaks.
  return digest(
    `${previous}\n${sequence}\n${recordedAtMillis}\n${JSON.stringify(authority)}\n${text}`,
  );
}

function digest(text: string): string {
  return sha256Text(text, 'base64url');
}
