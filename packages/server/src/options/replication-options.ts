/** The options of the copy of a data directory that follows it. */
import * as v from 'valibot';
import type { ReplicationOptions } from '@agentkeep/core';
import { define, defineInteger } from './option-definition.js';

const LAG_MS_MIN = 100;
const LAG_MS_MAX = 3_600_000;
const DAYS_MAX = 3_650;

/** The options by name. */
export const replicationOptions = {
  replicate_to: define({
    schema: v.optional(v.pipe(v.string(), v.minLength(1))),
    form: 'text',
    allowed:
      'the path or file:// URL of a folder, or s3://bucket/prefix with ?endpoint= and &region=',
    byDefault: 'none: nothing is copied',
    placeholder: '<target>',
    summary: 'Folder on another disk, or bucket, that gets a copy of each commit.',
  }),
  replicate_mode: define({
    schema: v.optional(v.picklist(['async', 'acknowledged']), 'async'),
    form: 'text',
    allowed: 'async or acknowledged',
    byDefault: 'async',
    placeholder: '<mode>',
    summary: 'Whether a write is answered before replicate_to has it (async), or after.',
  }),
  replicate_lag_ms: defineInteger({
    range: [LAG_MS_MIN, LAG_MS_MAX],
    byDefault: 5_000,
    placeholder: '<ms>',
    summary: 'Milliseconds that replicate_to may be behind in mode async.',
  }),
  replicate_days: defineInteger({
    range: [1, DAYS_MAX],
    byDefault: 7,
    placeholder: '<days>',
    summary: 'Days back to which a moment can be restored from replicate_to.',
  }),
} as const;

/** The values of the options. */
export interface ReplicationValues {
  readonly replicate_to: string | undefined;
  readonly replicate_mode: 'async' | 'acknowledged';
  readonly replicate_lag_ms: number;
  readonly replicate_days: number;
}

/** Returns the options for a keep; `undefined` if nothing is copied. */
export function replicationOf(values: ReplicationValues): ReplicationOptions | undefined {
  const { replicate_to: target, replicate_mode: mode } = values;
  if (target === undefined) return undefined;
  return { target, mode, lagMs: values.replicate_lag_ms, days: values.replicate_days };
}
