/** A hook that loads events, older ones when asked for, and newer ones by itself. */
import type { Agent } from '@agentkeep/client';
import { useEffect, useState } from 'preact/hooks';
import { type Action, useAction, useLoaded } from '../../session/use-loaded.js';
import { keep, keptAt } from '../../routing/kept.js';
import { presentPlace } from '../../routing/router.js';
import type { Failure } from '../../session/refusals.js';
import type { AuditEvent } from './audit-names.js';
import { type ShownEvents, withNewer } from './newer-events.js';

const PAGE = 50;
/** From one answer to the next question, and after a failure. */
const EACH_MS = 3_000;
const AFTER_FAILURE_MS = 30_000;

/** The name under which they are kept for "back". */
const EVENTS = 'events';

/** The filters of the log. */
export type Filter = NonNullable<Parameters<Agent['audit']['queryPage']>[0]>;

/** The events that are shown. */
export interface Events {
  /** Absent until the first page is there. */
  readonly events: readonly AuditEvent[] | undefined;
  readonly failure: Failure | undefined;
  /** How many came after the first page. */
  readonly arrived: number;
  readonly hasMore: boolean;
  readonly more: Action<[]>;
}

/** Loads the events that a filter leaves. While the page is visible, new ones are asked for. */
export function useEvents(filter: Filter): Events {
  const [round, setRound] = useState(0);
  const place = presentPlace();
  const [shown, setShown] = useState(() => keptAt(place, EVENTS) as ShownEvents | undefined);
  useEffect(() => {
    if (shown !== undefined) keep(place, EVENTS, shown);
  }, [shown]);
  const { failure, isLoading } = useLoaded(
    async (agent, signal) => {
      const newest = await pageOf(agent, { ...filter, signal });
      if (signal.aborted) return;
      setShown((before) => (before === undefined ? newest : withNewer(before, newest)));
    },
    [round],
  );
  useEffect(() => {
    if (isLoading || Number(filter.endTime ?? Infinity) < Date.now()) return;
    const waitMs = failure === undefined ? EACH_MS : AFTER_FAILURE_MS;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setRound((before) => before + 1);
    }, waitMs);
    return () => {
      clearInterval(timer);
    };
  }, [isLoading]);
  const more = useAction(async (agent) => {
    const cursor = shown?.cursor ?? undefined;
    if (cursor === undefined) return;
    const older = await pageOf(agent, { ...filter, cursor });
    setShown((now) => {
      // Newer events may have taken the place of those that these follow.
      if (now?.cursor !== cursor) return now;
      return { ...now, events: [...now.events, ...older.events], cursor: older.cursor };
    });
  });
  const hasMore = shown !== undefined && shown.cursor !== null;
  return { events: shown?.events, failure, arrived: shown?.arrived ?? 0, hasMore, more };
}

async function pageOf(agent: Agent, filter: Filter): Promise<ShownEvents> {
  const { events, next_cursor: cursor } = await agent.audit.queryPage({ ...filter, limit: PAGE });
  return { events, cursor, arrived: 0 };
}
