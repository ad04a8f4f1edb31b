/** Keeps texts that people read in the catalogues, and the catalogues complete. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { counted } from './counted.js';
import { counted as countedInGerman } from './de/counted.js';
import { germanTexts } from './de/german.js';
import { texts } from './en/english.js';
import { replaceTexts } from './replace-texts.js';

const source = fileURLToPath(new URL('..', import.meta.url));

/** Attributes and properties of components that people read or hear. */
const READ = /^(?:aria-label|aria-description|title|placeholder|alt|label|text|about|hint|verb)$/;

/** Returns the texts that a file shows without a catalogue. */
function writtenIn(name: string): readonly string[] {
  const text = readFileSync(join(source, name), 'utf8');
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    if (isShown(node) && /\p{L}{2}/u.test(node.text)) found.push(`${name}: ${node.text.trim()}`);
    ts.forEachChild(node, look);
  };
  look(file);
  return found;
}

function isShown(node: ts.Node): node is ts.JsxText | ts.StringLiteralLike {
  if (ts.isJsxText(node)) return true;
  if (!ts.isStringLiteralLike(node)) return false;
  const { parent } = node;
  if (ts.isJsxAttribute(parent)) return READ.test(parent.name.getText());
  if (ts.isPropertyAssignment(parent)) return READ.test(parent.name.getText());
  return ts.isJsxExpression(parent) && !ts.isJsxAttribute(parent.parent);
}

/** Returns the paths of all texts in a catalogue. */
function pathsOf(part: object, path = ''): readonly string[] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? pathsOf(value, `${path}${name}.`)
      : [`${path}${name}`],
  );
}

describe('the texts of the console', () => {
  test('no component has a text of its own', () => {
    const names = readdirSync(source, { recursive: true, encoding: 'utf8' });
    const components = names.filter((name) => name.endsWith('.tsx'));
    expect(components.length).toBeGreaterThan(50);
    expect(components.flatMap(writtenIn)).toEqual([]);
  });

  test('German has each text of English, and no other', () => {
    expect(pathsOf(germanTexts).toSorted()).toEqual(pathsOf(texts).toSorted());
  });

  test('a number has the noun of its plural form', () => {
    expect([0, 1, 2, 1_000].map((count) => counted(count, 'record', 'records'))).toEqual([
      ...['0 records', '1 record', '2 records', '1,000 records'],
    ]);
    expect([0, 1, 2, 1_000].map((count) => countedInGerman(count, 'Zeile', 'Zeilen'))).toEqual([
      ...['0 Zeilen', '1 Zeile', '2 Zeilen', '1.000 Zeilen'],
    ]);
  });

  test('a part of the texts that a component holds has the new texts', () => {
    const tree = { title: 'One', part: { text: 'Two', list: ['a', 'b'] } };
    const { part } = tree;
    replaceTexts(tree, { title: 'Eins', part: { text: 'Zwei', list: ['c', 'd'] } });
    expect(tree).toEqual({ title: 'Eins', part: { text: 'Zwei', list: ['c', 'd'] } });
    expect(tree.part).toBe(part);
  });
});
