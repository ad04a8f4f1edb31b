/** URIs of skills: `skill://`, the path of a scope as in other resources, the name, `SKILL.md`. */
import type { ScopeInput } from '@agentkeep/client';
import { resourceOf, uriOfScope } from '../resources/resource-uri.js';

/** A skill by its scope and name. */
export interface NamedSkill {
  readonly scope: ScopeInput;
  readonly name: string;
}

const RESOURCES = 'agentkeep://';
const SKILLS = 'skill://';

/** Returns the URI of the only file of a skill. */
export function uriOfSkill({ scope, name }: NamedSkill): string {
  return `${SKILLS}${uriOfScope(scope).slice(RESOURCES.length)}/${name}/SKILL.md`;
}

/** Returns the skill whose file a URI names, or `undefined` if it is no such URI. */
export function skillAt(uri: string): NamedSkill | undefined {
  const [, path, name] = /^skill:\/\/(.+)\/([a-z0-9-]+)\/SKILL\.md$/.exec(uri) ?? [];
  if (path === undefined || name === undefined) return undefined;
  const named = resourceOf(RESOURCES + path);
  return named === undefined || named.recordId !== undefined
    ? undefined
    : { scope: named.scope, name };
}
