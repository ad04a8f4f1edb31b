/** The texts of what happened to attempts and developments, in English. */

/** These texts. */
export const timelineTexts = {
  timelines: {
    events: 'What happened',
    partOf: (count: number) =>
      `These are the first ${count} events in the order of their ids; there are more.`,
    registered: 'registered',
    requested: 'requested',
    by: (subject: string) => `by ${subject}`,
    cost: (units: number) => `${units.toLocaleString('en')} units`,
    takes: (time: string) => `took ${time}`,
    evidence: (reference: string) => `evidence ${reference}`,
    allAttempts: 'All attempts',
    attempt: 'Attempt',
    context: 'Context',
    reporter: 'Reporter',
    unit: 'Unit of cost',
    input: 'Input',
    follows: 'Follows',
    followed: (event: string, attempt: string) => `${event} of ${attempt}`,
    totals: 'Reported totals',
    allDevelopments: 'All developments',
    development: 'Development',
    tool: 'Tool',
    states: {
      requested: 'requested',
      pending_or_unknown: 'pending or unknown',
      cancellation_requested: 'cancellation requested',
      succeeded: 'succeeded',
      failed: 'failed',
      cancelled: 'cancelled',
    },
    reasons: {
      request_recorded: 'the request is recorded',
      cancellation_requested: 'its requester asked for the end',
      resource_limit_exceeded: 'it took more than the executor allows',
      unknown_consumption: 'what it took is not known',
      worker_reported_success: 'the worker reported success',
      worker_reported_failure: 'the worker reported a failure',
      worker_confirmed_cancellation: 'the worker confirmed the cancellation',
      worker_outcome_unknown: 'the worker does not know the outcome yet',
    },
  },
} as const;
