/** A hook that finds records over all scopes that a caller may read. */
import type { Agent, SearchMatch } from '@agentkeep/client';
import { useState } from 'preact/hooks';
import { type CountedScope, listScopes } from '../../scopes/listed-scopes.js';
import { agentOf } from '../../scopes/scope-agent.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import { isSameScope } from '../../scopes/scope-query.js';
import { mayOpen } from '../../scopes/scope-rights.js';
import type { Caller } from '../../session/caller.js';
import { useWalk, type Walked } from '../../session/use-walk.js';
import { type FindList, findListsOf, type FindQuery, isMeant } from './find-query.js';
import { type MergedMatch, mergedNewest } from './merged-newest.js';

/** Most scopes of one search. */
const SCOPES_MAX = 10_000;
/** Records of a page of the server; most of the first pages are read to their first one only. */
const PAGE = 25;

/** A record, where it is, and how the same is found there. */
export interface FoundRecord {
  readonly match: SearchMatch;
  readonly shown: ShownScope;
  readonly list: FindList;
}

/** Which scopes were searched. */
export interface SearchedScopes {
  readonly searched: number;
  /** Scopes that are listed, but not open to the caller, and their records. */
  readonly unread: number;
  readonly unreadRecords: number;
}

/** What was found so far, and where it was looked for. */
export interface Found {
  readonly walked: Walked<FoundRecord>;
  readonly where: SearchedScopes | undefined;
}

/** Finds what is asked for; `times` changes to look again. */
export function useFound(caller: Caller, query: FindQuery, times: number): Found {
  const [where, setWhere] = useState<SearchedScopes>();
  const walked = useWalk(
    async function* (agent, signal) {
      const { scopes } = await listScopes(agent, SCOPES_MAX, signal);
      const meant = scopes.filter((each) => isMeant(query, shownOf(each)));
      const open = meant.filter((each) => mayOpen(caller, shownOf(each)));
      const closed = meant.filter((each) => !open.includes(each));
      const unreadRecords = closed.reduce((sum, { records }) => sum + records, 0);
      setWhere({ searched: open.length, unread: closed.length, unreadRecords });
      const lists = findListsOf(query, open.filter(hasRecords).map(shownOf));
      const search = (list: FindList) => searchOf(agent, caller, list, signal);
      for await (const found of mergedNewest(lists, search)) yield placed(found);
    },
    [JSON.stringify(query), times],
  );
  return { walked, where };
}

function searchOf(
  agent: Agent,
  caller: Caller,
  { scopes, filter }: FindList,
  signal: AbortSignal,
): AsyncGenerator<SearchMatch, void> {
  const [first] = scopes;
  if (first === undefined) throw new Error('A search has at least one scope.');
  const acting = agentOf(agent, first, caller.credential?.spec.subject_id);
  const within = scopes.map(({ scope }) => scope);
  return acting.memory.search(filter, { scopes: within, limit: PAGE, signal });
}

function placed({ list, match }: MergedMatch<FindList>): FoundRecord {
  const { scopes } = list;
  const shown = scopes.find(({ scope }) => isSameScope(scope, match.scope));
  return { match, list, shown: shown ?? { scope: match.scope, subjectId: undefined } };
}

function shownOf({ scope, subject_id }: CountedScope): ShownScope {
  return { scope, subjectId: subject_id ?? undefined };
}

const hasRecords = ({ records }: CountedScope): boolean => records > 0;
