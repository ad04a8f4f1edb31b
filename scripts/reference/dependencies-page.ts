/** The page of dependencies: which folders import which, as found by dependency-cruiser. */
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { page, type ReferencePage } from './page.ts';

const introduction =
  'An arrow leads from a folder to one that it imports. Redundant arrows are left out: if A ' +
  'imports B and B imports C, no direct arrow from A to C is drawn. `scripts/layers.cjs` and ' +
  '`.dependency-cruiser.cjs` state which imports are allowed, and `npm run deps:check` enforces ' +
  'it.';

/** Importing node to imported nodes. */
type Arrows = Map<string, Set<string>>;

/** Returns the page of dependencies. */
export async function dependenciesPage(): Promise<ReferencePage> {
  const arrows = folderArrows(await modules());
  const drawn = reduced(arrows);
  const names = [...arrows.keys()].sort();
  const group = (member: string, title: string): string[] => [
    `  subgraph ${member}["${title}"]`,
    ...names
      .filter((name) => name.startsWith(`${member}/`))
      .map((name) => `    ${idOf(name)}["${name.slice(member.length + 1)}"]`),
    '  end',
  ];
  const lines = names.flatMap((from) =>
    [...(drawn.get(from) ?? [])].sort().map((to) => `  ${idOf(from)} --> ${idOf(to)}`),
  );
  const picture = [
    '```mermaid',
    'flowchart TB',
    ...group('server', '@agentkeep/server'),
    ...group('client', '@agentkeep/client'),
    ...group('core', '@agentkeep/core'),
    ...lines,
    '```',
  ].join('\n');
  return page('dependencies.md', 'Dependencies', 'the imports of the sources', [
    introduction,
    picture,
  ]);
}

/** Returns a name as a Mermaid id. */
function idOf(name: string): string {
  return name.replaceAll(/\W/gu, '_');
}

async function modules(): Promise<ICruiseResult['modules']> {
  const options = await extractOptions('./.dependency-cruiser.cjs');
  const tsConfig = extractTSConfig('tsconfig.json');
  const found = await cruise(
    ['packages'],
    { ...options, includeOnly: '^packages/[^/]+/src/', exclude: '[.]test[.]ts$' },
    undefined,
    { tsConfig },
  );
  if (typeof found.output === 'string') throw new Error('Expected modules, not a report.');
  return found.output.modules;
}

/** Returns the imports between folders, or files outside the folders. */
function folderArrows(all: ICruiseResult['modules']): Arrows {
  const nodeOf = (path: string): string =>
    path
      .replace(/^packages\//u, '')
      .split('/src/')
      .map((part) => part.split('/')[0])
      .join('/');
  const arrows: Arrows = new Map();
  for (const { source, dependencies } of all) {
    const from = nodeOf(source);
    const targets = arrows.get(from) ?? new Set<string>();
    arrows.set(from, targets);
    for (const { resolved } of dependencies) {
      if (nodeOf(resolved) !== from) targets.add(nodeOf(resolved));
    }
  }
  return arrows;
}

/** Removes arrows that a longer path replaces; folders in a cycle keep theirs. */
function reduced(arrows: Arrows): Arrows {
  const kept: Arrows = new Map();
  for (const [from, targets] of arrows) {
    const isDirect = (to: string): boolean =>
      ![...targets].some(
        (other) => other !== to && reaches(arrows, other, to) && !reaches(arrows, to, other),
      );
    kept.set(from, new Set([...targets].filter(isDirect)));
  }
  return kept;
}

function reaches(arrows: Arrows, from: string, to: string): boolean {
  const seen = new Set<string>();
  const waiting = [from];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const next of arrows.get(at) ?? []) {
      if (next === to) return true;
      if (!seen.has(next)) waiting.push(next);
      seen.add(next);
    }
  }
  return false;
}
