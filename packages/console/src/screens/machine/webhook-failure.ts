/** Why a delivery failed, in words. */
import type { Agent } from '@agentkeep/client';
import { texts } from '../../texts/en/english.js';

/** What a webhook gave up. */
export type DeadLetter = Awaited<ReturnType<Agent['webhooks']['deadLetters']>>[number];

/** Returns a failure in words. */
export function failureText({ reason, status }: DeadLetter['failure']): string {
  const words = texts.machine.webhooks.reasons[reason];
  return status === null ? words : `${words} ${String(status)}`;
}
