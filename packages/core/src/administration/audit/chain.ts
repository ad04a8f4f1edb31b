/**
 * The hash chain of an authority: each link is the SHA-256 of the link before it and of all that
 * an event tells, with its place.
 * @module
 */
import { sha256Text } from '../../contract/digest.js';

/** Where an event stands. */
export interface ChainPlace {
  /** The tenant, or an empty text for the installation. */
  readonly authority: string;
  /** The link of the event before. */
  readonly previous: string;
  readonly sequence: number;
  readonly recordedAtMillis: number;
}

/** What stands before the first event of an authority. */
export function firstLink(authority: string): string {
  return digest(`agentkeep audit chain 1\n${authority}`);
}

/** The link of an event, whose members come as one unambiguous text. */
export function linkOf(place: ChainPlace, text: string): string {
  const { authority, previous, sequence, recordedAtMillis } = place;
  // What varies in form comes last: the rest holds no line break but those that are put in here.
  return digest(
    `${previous}\n${sequence}\n${recordedAtMillis}\n${JSON.stringify(authority)}\n${text}`,
  );
}

function digest(text: string): string {
  return sha256Text(text, 'base64url');
}
