/** The tidiness rules. Each takes a file and returns its problems with line numbers. */
import ts from 'typescript';
import { type ProjectFile } from './tidy-files.ts';

/** Returns the problems of a file; none for a tidy one. */
export type Rule = (file: ProjectFile) => string[];

const fileLinesMax = 400;
const functionLinesMax = 70;
const columnsMax = 100;
const fileBytesMax = 100_000;

const unbreakable = /(["'`]).{40,}\1|\/\S{40,}\/|https?:\/\//u;
const vagueName = /^(?:utils?|helpers?|misc|common)(?:\.|$)/iu;

// Split, so that the rules do not match their own source.
const leftovers = new RegExp(
  String.raw`\b(?:FIX` + `ME|XX` + String.raw`X|TO` + String.raw`DO)\b`,
  'u',
);
const overrides = new RegExp(
  '(?:es|ox)lint-' + 'disable|@ts-' + String.raw`(?:ignore|nocheck)\b`,
  'u',
);
const focused = new RegExp(
  String.raw`\b(?:it|test|describe)\.(?:on` + 'ly|sk' + String.raw`ip|to` + String.raw`do)\b`,
  'u',
);
const impatient = new RegExp(
  String.raw`\bvi\.wait` + String.raw`(?:For|Until)\(|\.poll\(.*\{ time` + 'out:',
  'u',
);
const registryHost = /\b(?:registry|npm|artifactory|nexus)\.[\w-]+\.[\w.-]*(?:com|org|io|net)\b/u;
const machinePath = /(?:^|[\s"'`(=:])\/(?:root|work|home\/\w+|Users\/\w+)\//u;

/** What some releases of Node.js answer wrongly, see `parsedUrl` of core. */
const unreliable = new RegExp(String.raw`\bURL\.can` + String.raw`Parse\(`, 'u');

function linesMatching(file: ProjectFile, pattern: RegExp, what: string): string[] {
  return file.text
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1} ${what}`] : []));
}

/** A file has at most 400 lines. */
export const isShortFile: Rule = (file) => {
  const lines = file.text.trimEnd().split('\n').length;
  const isBound = file.isCode || file.path.endsWith('.md');
  return isBound && lines > fileLinesMax ? [`${file.path} has ${lines} lines`] : [];
};

/** A line of code has at most 100 columns, unless a string in it cannot be split. */
export const isNarrow: Rule = (file) => {
  if (!file.isCode) return [];
  return file.text.split('\n').flatMap((line, index) => {
    const columns = Array.from(line).length;
    if (columns <= columnsMax || unbreakable.test(line)) return [];
    return [`${file.path}:${index + 1} has ${columns} columns`];
  });
};

/** A file has at most 100 kB. */
export const isLight: Rule = (file) =>
  file.bytes > fileBytesMax ? [`${file.path} has ${file.bytes} bytes`] : [];

/** No work is left for later. */
export const isFinished: Rule = (file) => linesMatching(file, leftovers, 'leaves work for later');

/** No check is disabled, and no test is skipped or focused. */
export const hasNoOverride: Rule = (file) => [
  ...linesMatching(file, overrides, 'disables a check'),
  ...(file.isCode ? linesMatching(file, focused, 'skips or focuses a test') : []),
];

/** File names describe the content. */
export const isNamedWell: Rule = (file) => {
  const vague = file.path.split('/').filter((part) => vagueName.test(part));
  return vague.length > 0 ? [`${file.path} has a vague name`] : [];
};

/** Nothing depends on one machine or one package registry. */
export const isPortable: Rule = (file) => [
  ...linesMatching(file, registryHost, 'names a package registry'),
  ...linesMatching(file, machinePath, 'names a path of one machine'),
  ...(file.isCode ? linesMatching(file, unreliable, 'depends on the release of Node.js') : []),
];

/** A test waits as long as a busy machine takes: by `eventually`, or as long as any poll does. */
export const isPatient: Rule = (file) =>
  file.path === 'packages/testkit/src/eventually.ts'
    ? []
    : linesMatching(file, impatient, 'may wait too short a time on a busy machine');

/** A source file starts with a sentence that describes it. */
export const hasModuleSentence: Rule = (file) => {
  if (!file.isCode) return [];
  const start = file.text.replace(/^#!.*\n/u, '');
  const comment = start.startsWith('/**') ? start.slice(0, start.indexOf('*/')) : '';
  const words = comment.replaceAll(/^(?:\/\*\*| \*) ?|@module/gmu, '').trim();
  return /^[A-Z`][\s\S]*\.$/u.test(words) ? [] : [`${file.path} does not start with a sentence`];
};

/** Suites group tests; the limit on the length of functions does not apply to them. */
function isSuite(node: ts.Node): boolean {
  const { parent } = node;
  if (!ts.isCallExpression(parent)) return false;
  return /^describe\b/u.test(parent.expression.getText());
}

/** A function has at most 70 lines, and nothing has the type that disables checking. */
export const isTypedAndShort: Rule = (file) => {
  if (!file.isCode) return [];
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const first = lineOf(node.getStart()) + 1;
    if (ts.isFunctionLike(node) && !isSuite(node)) {
      const lines = lineOf(node.getEnd()) + 2 - first;
      if (lines > functionLinesMax) found.push(`${file.path}:${first} has ${lines} lines`);
    }
    if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(`${file.path}:${first} is not typed`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};
