/**
 * The hash chain of a quota of an authority: each link is the SHA-256 of the previous link, the
 * event and its position.
 */
import { sha256Text } from '../../contract/digest.js';
import type { AuditQuota } from './quota-policy.js';

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
