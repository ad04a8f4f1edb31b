/**
 * The tidiness rules: each takes a file and names what is wrong with it, by line.
 *
 * @module
 */
import ts from 'typescript';
import { type ProjectFile } from './tidy-files.ts';

/** Looks at one file; every string says where and what, none means tidy. */
export type Rule = (file: ProjectFile) => string[];

const fileLinesMax = 400;
const functionLinesMax = 70;
const columnsMax = 100;
const fileBytesMax = 100_000;

const unbreakable = /(["'`]).{40,}\1|\/\S{40,}\/|https?:\/\//u;
const vagueName = /^(?:utils?|helpers?|misc|common)(?:\.|$)/iu;

// Written in parts, so that the rules do not find themselves.
const leftovers = new RegExp(
  String.raw`\b(?:FIX` + `ME|XX` + String.raw`X|TO` + String.raw`DO)\b`,
  'u',
);
const overrides = new RegExp('eslint-' + 'disable|@ts-' + String.raw`(?:ignore|nocheck)\b`, 'u');
const focused = new RegExp(
  String.raw`\b(?:it|test|describe)\.(?:on` + 'ly|sk' + String.raw`ip|to` + String.raw`do)\b`,
  'u',
);
const registryHost = /\b(?:registry|npm|artifactory|nexus)\.[\w-]+\.[\w.-]*(?:com|org|io|net)\b/u;
const machinePath = /(?:^|[\s"'`(=:])\/(?:root|work|home\/\w+|Users\/\w+)\//u;

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

/** A line of code has at most 100 columns, unless a string in it cannot be broken. */
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

/** Nothing is left for later. */
export const isFinished: Rule = (file) => linesMatching(file, leftovers, 'leaves work for later');

/** No check is switched off, and no test is left out or run alone. */
export const hasNoOverride: Rule = (file) => [
  ...linesMatching(file, overrides, 'switches a check off'),
  ...(file.isCode ? linesMatching(file, focused, 'leaves a test out') : []),
];

/** The name of a file says what it holds. */
export const isNamedWell: Rule = (file) => {
  const vague = file.path.split('/').filter((part) => vagueName.test(part));
  return vague.length > 0 ? [`${file.path} says nothing of what it holds`] : [];
};

/** Nothing ties the project to one machine or one package registry. */
export const isPortable: Rule = (file) => [
  ...linesMatching(file, registryHost, 'names a package registry'),
  ...linesMatching(file, machinePath, 'names a path of one machine'),
];

/** A source file opens with one sentence on what it is. */
export const hasModuleSentence: Rule = (file) => {
  if (!file.isCode) return [];
  const start = file.text.replace(/^#!.*\n/u, '');
  const comment = start.startsWith('/**') ? start.slice(0, start.indexOf('*/')) : '';
  const words = comment.replaceAll(/^(?:\/\*\*| \*) ?|@module/gmu, '').trim();
  return /^[A-Z`][\s\S]*\.$/u.test(words) ? [] : [`${file.path} does not open with a sentence`];
};

/** A suite groups tests, it is not read as one function. */
function isSuite(node: ts.Node): boolean {
  const { parent } = node;
  if (!ts.isCallExpression(parent)) return false;
  return /^describe\b/u.test(parent.expression.getText());
}

/** A function has at most 70 lines, and nothing has the type that switches checking off. */
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
