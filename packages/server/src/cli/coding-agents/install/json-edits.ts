/** Adds to a JSON text and takes out again, by its parts: everything else keeps its bytes. */
import { isDeepStrictEqual } from 'node:util';
import { afterSpaces, type JsonNode, jsonTree, nodeAt } from './json-tree.js';

/** What is to be in a file: a member at a path, or an item of the array at a path. */
export interface JsonEdit {
  readonly path: readonly string[];
  readonly value: unknown;
  /** Whether `path` leads to an array that gets the value as an item. */
  readonly isItem?: boolean;
  /** Whether a member that is there already stays, also if it is another one. */
  readonly isOptional?: boolean;
}

/** A text that was inserted at a position of the text before it. */
export interface Splice {
  readonly at: number;
  readonly text: string;
}

/**
 * Returns the insertions, in their order, that bring the edits into a text.
 * @throws {Error} where a member of the same name is there already, or another kind of value.
 */
export function insertions(text: string, edits: readonly JsonEdit[]): readonly Splice[] {
  const splices: Splice[] = [];
  let current = text;
  for (const edit of edits) {
    const splice = insertionOf(current, edit);
    if (splice === undefined) continue;
    splices.push(splice);
    current = spliced(current, splice);
  }
  return splices;
}

/** Returns a text with an insertion. */
export function spliced(text: string, { at, text: inserted }: Splice): string {
  return text.slice(0, at) + inserted + text.slice(at);
}

/**
 * Returns a text without insertions that were made in this order, and nothing was changed since.
 */
export function unspliced(text: string, splices: readonly Splice[]): string {
  return splices.reduceRight(
    (current, { at, text: { length } }) => current.slice(0, at) + current.slice(at + length),
    text,
  );
}

function insertionOf(text: string, edit: JsonEdit): Splice | undefined {
  const root = jsonTree(text);
  const { path, value } = edit;
  // The deepest part that is there; what is missing below it is added with the value.
  let depth = path.length;
  while (nodeAt(root, path.slice(0, depth)) === undefined) depth -= 1;
  const node = nodeAt(root, path.slice(0, depth)) ?? root;
  const where = path.slice(0, depth).join('.');
  if (depth < path.length) {
    if (node.members === undefined) throw new Error(`${where || 'the file'} is no object`);
    const missing = path.slice(depth + 1);
    const leaf: unknown = edit.isItem === true ? [value] : value;
    const whole = missing.reduceRight<unknown>((inner, name) => ({ [name]: inner }), leaf);
    return insertInto(text, node, `${JSON.stringify(path[depth])}: `, whole);
  }
  if (edit.isItem === true) {
    if (node.items === undefined) throw new Error(`${where} is no array`);
    const isThere = node.items.some((item) => isDeepStrictEqual(item.value, value));
    return isThere ? undefined : insertInto(text, node, '', value);
  }
  if (edit.isOptional === true || isDeepStrictEqual(node.value, value)) return undefined;
  throw new Error(`${where} is there already, with other content. Remove it, then run this again`);
}

/** Inserts behind the last part of an object or array, in the form of the parts before it. */
function insertInto(text: string, node: JsonNode, name: string, value: unknown): Splice {
  const parts = node.members ?? node.items ?? [];
  const last = parts.at(-1);
  const outer = indentAt(text, node.from);
  const unit = unitOf(text);
  if (last === undefined) {
    const inner = outer + unit;
    const isOpen = text.slice(node.from + 1, node.to - 1).includes('\n');
    const added = `\n${inner}${name}${indented(value, inner, unit)}`;
    return { at: node.from + 1, text: isOpen ? added : `${added}\n${outer}` };
  }
  const end = 'node' in last ? last.node.to : last.to;
  const isOneLine = !text.slice(node.from, last.from).includes('\n');
  const inner = isOneLine ? '' : indentAt(text, last.from);
  const shown = isOneLine ? JSON.stringify(value) : indented(value, inner, unit);
  const gap = isOneLine ? ' ' : `\n${inner}`;
  const comma = trailingComma(text, end, node.to);
  if (comma !== undefined) return { at: comma + 1, text: `${gap}${name}${shown}` };
  return { at: end, text: `,${gap}${name}${shown}` };
}

/** Returns where a comma is behind a part, after spaces and comments. */
function trailingComma(text: string, from: number, to: number): number | undefined {
  const at = afterSpaces(text, from);
  return at < to && text[at] === ',' ? at : undefined;
}

function indented(value: unknown, indent: string, unit: string): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `\n${indent}`);
}

/** Returns the spaces at the begin of the line of a position. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^\s*/.exec(line)?.[0] ?? '';
}

function unitOf(text: string): string {
  return /\n(?<unit>[ \t]+)\S/.exec(text)?.groups?.['unit'] ?? '  ';
}

/**
 * Returns a text without what the edits added, where others changed it since: their parts stay.
 * Objects and arrays on the way stay too, unless they are empty then.
 */
export function withoutEdits(text: string, edits: readonly JsonEdit[]): string {
  return edits.toReversed().reduce((current, edit) => withoutEdit(current, edit), text);
}

function withoutEdit(text: string, { path, value, isItem }: JsonEdit): string {
  const node = nodeAt(jsonTree(text), path);
  if (node === undefined) return text;
  if (isItem !== true) return isDeepStrictEqual(node.value, value) ? cutAt(text, path) : text;
  const index = node.items?.findIndex((item) => isDeepStrictEqual(item.value, value)) ?? -1;
  if (index === -1) return text;
  return node.items?.length === 1 ? cutAt(text, path) : cutPart(text, node, index);
}

/** Cuts the member at a path, and the objects around it that have no other member. */
function cutAt(text: string, path: readonly string[]): string {
  const root = jsonTree(text);
  let depth = path.length;
  while (depth > 1 && nodeAt(root, path.slice(0, depth - 1))?.members?.length === 1) depth -= 1;
  const parent = nodeAt(root, path.slice(0, depth - 1)) ?? root;
  const index = parent.members?.findIndex(({ name }) => name === path[depth - 1]) ?? -1;
  return index === -1 ? text : cutPart(text, parent, index);
}

/** Cuts a part with the comma before it, or of the first one the comma behind it. */
function cutPart(text: string, node: JsonNode, index: number): string {
  const parts = (node.members ?? node.items ?? []).map((part) => ({
    from: part.from,
    to: 'node' in part ? part.node.to : part.to,
  }));
  const part = parts[index];
  if (part === undefined) return text;
  const before = parts[index - 1];
  const after = parts[index + 1];
  if (before !== undefined) return text.slice(0, before.to) + text.slice(part.to);
  if (after !== undefined) return text.slice(0, part.from) + text.slice(after.from);
  const comma = trailingComma(text, part.to, node.to);
  const end = comma === undefined ? part.to : comma + 1;
  return (text.slice(0, node.from + 1) + text.slice(end)).replace(
    /(?<open>[{[])\s*(?<close>[}\]])/,
    (all, open: string, close: string, at: number) => (at === node.from ? open + close : all),
  );
}
