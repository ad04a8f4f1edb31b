/**
 * Lists of what a scope has: procedures, evaluations, attempts, tools and their developments. Lists
 * of the policies and contexts of a tenant (docs/contract/learning-lists.md).
 */
import type { Capability, ScopeInput } from '@agentkeep/core';
import { asTenant, type Caller } from '../../../models/principal.js';
import { found, idsIn, inScope, namespaceOf } from '../../ledger.js';
import type { Play } from '../../play.js';
import type { Rule } from '../../rule.js';
import { IDS, SCOPES, VERSION } from '../../vocabulary.js';
import { attemptIn, shown as shownAttempt } from './experiences.js';
import { procedureIn, shown as shownProcedure } from './learning.js';
import { may } from '../memory.js';
import { developmentIn, shown as shownDevelopment } from './tools.js';

type ListName =
  | 'listProcedures'
  | 'listEvaluations'
  | 'listExperiences'
  | 'listToolArtifacts'
  | 'listToolDevelopments'
  | 'listToolDevelopmentEvents';

/** A list with the items that the model expects in a namespace, in order. */
interface Listed {
  readonly name: ListName;
  readonly capability: Capability;
  readonly itemsIn: (play: Play, place: string, owner: string) => unknown[];
}

const lists: readonly Listed[] = [
  {
    name: 'listProcedures',
    capability: 'memory_read',
    itemsIn: (play, place) =>
      idsIn(play.world, { kind: 'procedure', place }).map((id) => {
        const { procedure, receipt } = procedureIn(play.world, place, id);
        const { proposal, ...standing } = shownProcedure(procedure, receipt).record;
        return { ...proposal, ...standing, policy_id: procedure.proposal.policy_id };
      }),
  },
  {
    name: 'listEvaluations',
    capability: 'memory_read',
    itemsIn: ({ world }, place, procedureId) => {
      found(world, { kind: 'procedure', place, id: procedureId });
      return ownedIn(world, { kind: 'evaluation', place }, procedureId, 'receipt');
    },
  },
  {
    name: 'listToolDevelopmentEvents',
    capability: 'tool_read',
    itemsIn: ({ world }, place, requestId) => {
      found(world, { kind: 'development', place, id: requestId });
      return ownedIn(world, { kind: 'development event', place }, requestId, 'event');
    },
  },
  {
    name: 'listExperiences',
    capability: 'experience_read',
    itemsIn: (play, place) =>
      idsIn(play.world, { kind: 'attempt', place }).map((id) =>
        shownAttempt(attemptIn(play, place, id)),
      ),
  },
  {
    name: 'listToolArtifacts',
    capability: 'tool_read',
    itemsIn: ({ world }, place) =>
      idsIn(world, { kind: 'artifact', place }).map((id) =>
        answerOf(world, { kind: 'artifact', place, id }, 'artifact'),
      ),
  },
  {
    name: 'listToolDevelopments',
    capability: 'tool_read',
    itemsIn: (play, place) =>
      idsIn(play.world, { kind: 'development', place }).map((id) => {
        const { model, receipt } = developmentIn(play, place, id);
        return shownDevelopment(model, receipt);
      }),
  },
];

/** What answers had in `member`, of the entries that belong to one of another kind. */
function ownedIn(
  world: Play['world'],
  entry: Parameters<typeof idsIn>[1],
  owner: string,
  member: string,
): unknown[] {
  const own = idsIn(world, entry).filter((id) => (JSON.parse(id) as string[])[0] === owner);
  return own.map((id) => answerOf(world, { ...entry, id }, member));
}

function answerOf(world: Play['world'], entry: Parameters<typeof found>[1], member: string) {
  return (found(world, entry).answer as Record<string, unknown>)[member];
}

/** Asks for the page of a list that begins at a position. */
async function askPage(
  play: Play,
  { name, capability, itemsIn }: Listed,
  { caller, scope, owner, ...position }: Asked & Position,
): Promise<string | null> {
  const { from, ...asked } = position;
  const parts = { document: { ...VERSION, scope, ...ownedBy(name, owner), ...asked } };
  const answer = await play.ask(name, caller, parts, (made, who) => {
    const place = namespaceOf(inScope(play, who, capability, scope), scope);
    const all = itemsIn(play, place, owner);
    const end = from + asked.limit;
    const next_cursor = nextOf(made, all, end);
    return { ...VERSION, page: { items: all.slice(from, end), next_cursor } };
  });
  return answer?.page.next_cursor ?? null;
}

/** The member that names whose entries are listed, where they are those of one thing. */
function ownedBy(name: ListName, owner: string) {
  if (name === 'listEvaluations') return { procedure_id: owner };
  return name === 'listToolDevelopmentEvents' ? { request_id: owner } : {};
}

/** Who asks, and of what. */
interface Asked {
  readonly caller: Caller;
  readonly scope: ScopeInput;
  readonly owner: string;
}

interface Position {
  readonly from: number;
  readonly limit: number;
  readonly cursor: string | null;
}

const list: Rule = {
  name: 'list what a scope learned',
  weight: 4,
  run: async (play) => {
    const { dice } = play;
    const listed = dice.one(lists);
    const [scope, owner] = [dice.mostly(SCOPES), dice.mostly(IDS)];
    const limit = dice.one([1, 2, 100]);
    const asked = { caller: play.caller(may(listed.capability)), scope, owner, limit };
    const cursor = await askPage(play, listed, { ...asked, from: 0, cursor: null });
    if (cursor !== null) await askPage(play, listed, { ...asked, from: limit, cursor });
  },
};

/** The lists of a tenant, with the kinds of their entries. */
const entryLists = [
  { name: 'listLearningPolicies', kind: 'policy' },
  { name: 'listLearningContexts', kind: 'context' },
] as const;

const listEntries: Rule = {
  name: 'list policies or contexts',
  weight: 1,
  run: async (play) => {
    const { name, kind } = play.dice.one(entryLists);
    const limit = play.dice.one([1, 2, 100]);
    const caller = play.caller(may('policy_admin'));
    const askFrom = async (from: number, place: { readonly cursor?: string }) => {
      const parts = { parameters: { ...VERSION, limit, ...place } };
      const answer = await play.ask(name, caller, parts, (made, who) => {
        const { tenant_id } = asTenant(who, 'policy_admin');
        const entry = { kind, place: tenant_id };
        const all = idsIn(play.world, entry).map((id) =>
          answerOf(play.world, { ...entry, id }, 'entry'),
        );
        const page = { items: all.slice(from, from + limit) };
        return { ...VERSION, page: { ...page, next_cursor: nextOf(made, all, from + limit) } };
      });
      return answer?.page.next_cursor ?? null;
    };
    const cursor = await askFrom(0, {});
    if (cursor !== null) await askFrom(limit, { cursor });
  },
};

/** The cursor of an answer, where there has to be one. */
function nextOf(
  made: { readonly page: { readonly next_cursor: string | null } },
  all: readonly unknown[],
  end: number,
): string | null {
  return end >= all.length ? null : (made.page.next_cursor ?? 'a cursor');
}

/** Steps that list. */
export const learningListRules = [list, listEntries];
