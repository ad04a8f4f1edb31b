/** The skills of a scope, for programs that write them as files. */
import type { Agent, ScopeInput } from '@agentkeep/client';
import { skillOfListed } from './served-skills.js';
import type { Skill } from './skill.js';

/**
 * Yields the qualified procedures of a scope as skills, in the order of `learning.procedures()`.
 * Needs `memory_read`.
 * @example
 * ```ts
 * import { openKeep, type ScopeInput } from '@agentkeep/core';
 * import { agentFor } from '@agentkeep/core/operator';
 * import { skillsIn } from '@agentkeep/mcp/skills';
 *
 * await using keep = await openKeep({ dataDir: './data' });
 * const scope: ScopeInput = { project_id: 'shop', agent_id: 'coder', visibility: 'private' };
 * const agent = await agentFor(keep, { subject: 'coder', scopes: [scope] });
 * for await (const { name, text } of skillsIn(agent, scope)) console.log(name, text);
 * ```
 */
export async function* skillsIn(agent: Agent, scope: ScopeInput): AsyncGenerator<Skill, void> {
  for await (const listed of agent.learning.procedures(scope)) {
    const skill = await skillOfListed(agent, scope, listed);
    if (skill !== undefined) yield skill;
  }
}
