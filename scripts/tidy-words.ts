/** The words that names and comments do not use, each with the term to use instead. */
import ts from 'typescript';
import type { Rule } from './tidy-rules.ts';

/** Folders whose words other changes still revise. Remove an entry, and its words are checked. */
const unrevised = [
  'packages/core/src/domains/memory/',
  'packages/core/src/client/',
  'packages/server/test/',
  'packages/contract-cases/test/',
];

/** Words of comments. */
const refusedInComments: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bwhoever\b/iu, 'any caller that, the caller that'],
  [/\b(?:no|any)body\b/iu, 'no caller, any caller, in the background'],
  [/\bin vain\b/iu, 'without effect'],
  [/\bfor want of\b/iu, 'without'],
  [/\b(?:tells?|hears?|says?) of\b/iu, 'reports, receives'],
  [/\bwhat (?:came|comes|became|becomes) of\b/iu, 'the outcome of, the result of'],
  [/\bin place of\b/iu, 'instead of'],
  [/\bgo(?:es)? by\b/iu, 'use, uses'],
  [/\blets? go\b/iu, 'removes, releases'],
  [/\bfor ever\b/iu, 'always'],
  [/\bwithout any of which\b/iu, 'a sentence with its subject first'],
];

/** Names of types, functions and values; members of the wire are not among them. */
const refusedNames: readonly (readonly [name: RegExp, instead: string])[] = [
  [/^(?:[A-Z]\w*)?Places?$/u, 'Key, KeyRange, Locator, Position, Slot, Location'],
  [/^Proof$/u, 'CallerProof, ProofProgram'],
  [/^(?:Hunt|hunt)$/u, 'SegmentScan'],
  [/^#?letGo$/u, 'removeExpired, release'],
  [/^(?:NOBODYS?|nobody)$/u, 'NO_TENANTS, UNKNOWN_ID'],
  [/^Due$/u, 'DueDelivery'],
  [/^#?takeUp$/u, 'resume'],
];

/** Comments and names use the terms of the glossary and plain words. */
export const hasPlainWords: Rule = (file) => {
  const isRevised = !unrevised.some((folder) => file.path.startsWith(folder));
  if (!file.path.endsWith('.ts') || !isRevised || file.path === 'scripts/tidy-words.ts') return [];
  if (!mayRefuse(file.text)) return [];
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const at = (position: number): string =>
    `${file.path}:${source.getLineAndCharacterOfPosition(position).line + 1}`;
  const found: string[] = [];
  for (const { pos, end } of commentsOf(source)) {
    const words = joinLines(file.text.slice(pos, end));
    for (const [word, instead] of refusedInComments) {
      const refused = word.exec(words)?.[0];
      if (refused !== undefined) found.push(`${at(pos)} says "${refused}"; say: ${instead}`);
    }
  }
  for (const { text, position } of declaredNames(source)) {
    const [, instead] = refusedNames.find(([name]) => name.test(text)) ?? [];
    if (instead !== undefined) {
      found.push(`${at(position)} names "${text}"; name it: ${instead}`);
    }
  }
  return found;
};

/** Whether a text has a refused word or name anywhere. Few texts do, and only those are parsed. */
function mayRefuse(text: string): boolean {
  const words = joinLines(text);
  if (refusedInComments.some(([word]) => word.test(words))) return true;
  const names = text.match(/#?\b\w+/gu) ?? [];
  return refusedNames.some(([name]) => names.some((each) => name.test(each)));
}

/** Joins the lines of a block comment. */
function joinLines(text: string): string {
  return text.replaceAll(/\n *\* ?/gu, ' ');
}

function commentsOf(source: ts.SourceFile): ts.CommentRange[] {
  const found = new Map<number, ts.CommentRange>();
  const add = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source.text, node.getEnd()) ?? []),
    ];
    for (const range of ranges) found.set(range.pos, range);
  };
  const visit = (node: ts.Node): void => {
    add(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found.values()];
}

function declaredNames(source: ts.SourceFile): { text: string; position: number }[] {
  const found: { text: string; position: number }[] = [];
  const visit = (node: ts.Node): void => {
    const name = ts.isStatement(node) || ts.isClassElement(node) ? namedBy(node) : undefined;
    if (name !== undefined) found.push({ text: name.getText(source), position: name.getStart() });
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      found.push({ text: node.name.text, position: node.name.getStart() });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function namedBy(node: ts.Node): ts.Node | undefined {
  return (node as { readonly name?: ts.Node }).name;
}
