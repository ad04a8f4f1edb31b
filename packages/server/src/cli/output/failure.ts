/** Explains a failed command to the operator, with what to do next. */
import { resolve } from 'node:path';
import { AgentkeepError } from '@agentkeep/core';
import { ListenError } from '../../lifecycle/listen-error.js';
import { loggableText } from '../../log/loggable.js';
import { InvalidOptionsError } from '../../options/invalid-options-error.js';
import { CommandError } from '../command/command-error.js';
import { systemAdvice } from './system-advice.js';

const CAUSES_MAX = 5;

/**
 * Returns the message, without secrets and without a final newline. `dataDir` is the directory that
 * the command works on, if it works on one.
 */
export function failureMessage(error: unknown, dataDir?: string): string {
  return loggableText(describe(error, dataDir === undefined ? undefined : resolve(dataDir)));
}

function describe(error: unknown, dataDir: string | undefined): string {
  if (error instanceof AgentkeepError) return describeKnown(error, dataDir);
  const isForOperator =
    error instanceof CommandError ||
    error instanceof ListenError ||
    error instanceof InvalidOptionsError;
  if (isForOperator) return error.message;
  const advice = systemAdvice(error);
  if (error instanceof Error && advice !== undefined) return `${error.message}. ${advice}`;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `Unexpected failure: this is a defect of Agentkeep. ${detail}`;
}

function describeKnown(error: AgentkeepError, dataDir: string | undefined): string {
  if (error.code === 'store_in_use' && dataDir !== undefined) {
    return (
      `The data directory ${dataDir} is in use by another process. ` +
      'Stop that process, or name another directory with --data-dir.'
    );
  }
  if (error.code === 'invalid_request') {
    return (
      `Refused: ${error.members.map(({ path }) => path).join(', ')}. Ids have 1 to 256 UTF-8 bytes, are not blank and ` +
      'hold no control characters.'
    );
  }
  if (error.kind !== 'internal' && error.kind !== 'unavailable') return error.message;
  const causes = causesOf(error);
  const advice = causes.map(systemAdvice).find((each) => each !== undefined);
  const reasons = causes.map(({ message }) => message);
  if (advice !== undefined) {
    // With a system error, its advice replaces that of the error catalogue.
    return [`The data directory cannot be used. ${advice}`, ...reasons].join(CAUSE_PREFIX);
  }
  // A reason with a path is more precise than the data directory.
  const isNamed = dataDir === undefined || reasons.some((reason) => reason.includes('/'));
  const place = isNamed ? '' : ` (${dataDir})`;
  return [`${error.message}${place}`, ...reasons].join(CAUSE_PREFIX);
}

const CAUSE_PREFIX = '\n  because: ';

/** Returns the causes of an error, outermost first. */
function causesOf(error: Error): Error[] {
  const causes: Error[] = [];
  let cause = error.cause;
  while (cause instanceof Error && causes.length < CAUSES_MAX) {
    causes.push(cause);
    cause = cause.cause;
  }
  return causes;
}
