/** The skills that a caller is served: the qualified procedures of its scopes. */
import type { Agent, Procedure, ScopeInput } from '@agentkeep/client';
import type { McpCaller } from '../mcp-caller.js';
import { type Skill, skillNameOf, skillOf } from './skill.js';

/** A skill of a scope. */
export interface ServedSkill extends Skill {
  readonly scope: ScopeInput;
}

/** A page of skills, and where the next one begins. */
export interface SkillPage {
  readonly skills: readonly ServedSkill[];
  readonly next: SkillPosition | undefined;
}

/** A scope by its place among those of the caller, and a cursor in its list of procedures. */
export interface SkillPosition {
  readonly scope: number;
  readonly cursor: string | null;
}

/** Procedures that one read of a list has at most, whose instructions are then read. */
const PROCEDURES_A_READ = 25;
/** Reads of lists for one page. */
const READS_A_PAGE = 8;
/** Procedures that a look-up by name reads at once. */
const PROCEDURES_A_LOOK_UP = 100;

/** Returns the scopes whose skills are served: that of the connection, or the granted ones. */
async function scopesWithSkills(
  { agent, scope }: McpCaller,
  signal: AbortSignal,
): Promise<readonly ScopeInput[]> {
  if (scope !== undefined) return [scope];
  const { spec } = await agent.whoAmI({ signal });
  return spec.capabilities.includes('memory_read') ? spec.grants : [];
}

/** Returns the skill of a procedure of a list; reads its instructions only if it has qualified. */
export async function skillOfListed(
  { learning }: Agent,
  scope: ScopeInput,
  { id, state }: { readonly id: string; readonly state: string },
  signal?: AbortSignal,
): Promise<Skill | undefined> {
  if (state !== 'Active') return undefined;
  return skillOf(await learning.procedure(scope, id, { signal }));
}

/** Returns a page of skills; a page may be empty before the last one. */
export async function skillPage(
  caller: McpCaller,
  from: SkillPosition,
  signal: AbortSignal,
): Promise<SkillPage> {
  const { learning } = caller.agent;
  const scopes = await scopesWithSkills(caller, signal);
  const skills: ServedSkill[] = [];
  let at = from;
  for (let reads = 0; reads < READS_A_PAGE; reads += 1) {
    const scope = scopes[at.scope];
    if (scope === undefined) return { skills, next: undefined };
    const { cursor } = at;
    const page = await learning.proceduresPage(scope, {
      limit: PROCEDURES_A_READ,
      ...(cursor === null ? {} : { cursor }),
      signal,
    });
    for (const listed of page.items) {
      const skill = await skillOfListed(caller.agent, scope, listed, signal);
      if (skill !== undefined) skills.push({ ...skill, scope });
    }
    const { next_cursor: next } = page;
    at = next === null ? { scope: at.scope + 1, cursor: null } : { scope: at.scope, cursor: next };
    if (skills.length > 0) break;
  }
  return { skills, next: at.scope < scopes.length ? at : undefined };
}

/** Returns the procedure whose skill has a name, in whatever state it is. */
export async function procedureNamed(
  { agent: { learning } }: McpCaller,
  scope: ScopeInput,
  name: string,
  signal: AbortSignal,
): Promise<Procedure | undefined> {
  for await (const { id } of learning.procedures(scope, { limit: PROCEDURES_A_LOOK_UP, signal })) {
    if ((await skillNameOf(id)) === name) return learning.procedure(scope, id, { signal });
  }
  return undefined;
}
