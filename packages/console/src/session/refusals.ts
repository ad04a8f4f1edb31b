/** What refusals mean to a person. */
import { AgentkeepError } from '@agentkeep/client';
import type { RefusedMember } from '../parts/field-problems.js';
import { texts } from '../texts/en/english.js';
import { DoorRefusal } from './door.js';

/** Returns whether something that was thrown is a refusal with a code. */
export function isRefusal(error: unknown, code: string): error is AgentkeepError {
  return error instanceof AgentkeepError && error.wireCode === code;
}

/** A failure in words. */
export interface Failure {
  readonly text: string;
  /** The code of the contract, if the server answered. */
  readonly code: string | undefined;
  /** The id under which the log of the server has the request. */
  readonly requestId: string | undefined;
  /** Where history is gone: from when on nothing of it is missing. */
  readonly completeFromMillis?: number;
  /** The members of the request that were refused. */
  readonly members?: readonly RefusedMember[];
}

/** Returns a failure in words. */
export function failureOf(error: unknown, requestId?: string): Failure {
  const isKnown = error instanceof AgentkeepError || error instanceof DoorRefusal;
  if (!isKnown) return { text: texts.failures.unexpected, code: undefined, requestId };
  const code = error instanceof DoorRefusal ? error.code : error.wireCode;
  const known: Readonly<Partial<Record<string, string>>> = texts.failures.byCode;
  const from = error instanceof AgentkeepError ? error.details['complete_from_millis'] : undefined;
  const complete = typeof from === 'number' ? { completeFromMillis: from } : {};
  const members = error instanceof AgentkeepError ? { members: error.members } : {};
  return { text: known[code] ?? error.message, code, requestId, ...complete, ...members };
}
