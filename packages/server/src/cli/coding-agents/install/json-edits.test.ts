/** Inserting into JSON with comments, and taking out again. */
import { expect, test } from 'vitest';
import { insertions, type JsonEdit, spliced, unspliced, withoutEdits } from './json-edits.js';
import { jsonTree } from './json-tree.js';

const hook = { hooks: [{ type: 'command', command: 'agentkeep hook claude-code', timeout: 5 }] };
const edits: readonly JsonEdit[] = [
  { path: ['hooks', 'Stop'], isItem: true, value: hook },
  { path: ['hooks', 'SessionEnd'], isItem: true, value: hook },
  { path: ['statusLine'], value: { type: 'command', command: 'line' }, isOptional: true },
  { path: ['mcpServers', 'agentkeep'], value: { command: 'agentkeep', args: ['hook', 'mcp'] } },
];

const files = [
  '{}',
  '{\n}\n',
  '\uFEFF{ "a": 1 }',
  '{"a":1,"hooks":{"Stop":[]}}',
  '{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "hooks": [] }, // mine\n\t\t],\n\t},\n}\n',
  '{\r\n  "hooks": { "Stop": [{ "matcher": "*", "hooks": [] }] },\r\n  "model": "x"\r\n}',
  '// settings\n{\n    /* none */\n    "permissions": { "allow": ["a", "b"] }, "statusLine": { "command": "mine" }\n}',
  '{\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n',
  '{ "text": "a, // b } \\" {", "hooks": {} }',
];

function inserted(text: string): string {
  return insertions(text, edits).reduce((current, splice) => spliced(current, splice), text);
}

test.each(files)('what is there stays, and the bytes come back: %j', (text) => {
  const after = inserted(text);
  const value = jsonTree(after).value;
  expect(value).toMatchObject({
    hooks: { SessionEnd: [hook] },
    mcpServers: { agentkeep: { command: 'agentkeep' } },
  });
  expect(JSON.stringify(value)).toContain(JSON.stringify(hook));
  expect(unspliced(after, insertions(text, edits))).toBe(text);
  // A second time changes nothing.
  expect(insertions(after, edits)).toEqual([]);
});

test.each(files)('is taken out of a file that another program wrote anew: %j', (text) => {
  const { value } = jsonTree(inserted(text));
  const anew = JSON.stringify({ ...Object(value), added: [1] }, undefined, 4);
  const was = jsonTree(text).value;
  const { hooks, mcpServers, ...rest } = Object(
    jsonTree(withoutEdits(anew, edits)).value,
  ) as Record<string, unknown>;
  expect(rest).toEqual({ ...without(was), added: [1] });
  expect(JSON.stringify([hooks, mcpServers])).not.toContain('agentkeep');
});

function without(value: unknown): object {
  const ours = ['hooks', 'mcpServers'];
  const others = Object.entries(value ?? {}).filter(([name]) => !ours.includes(name));
  return Object.fromEntries(others);
}

test('comments and the form of the others stay where the file was changed since', () => {
  const text = '{\n  // first\n  "a": 1\n}\n';
  const changed = inserted(text).replace('"a": 1', '"a": 2');
  expect(withoutEdits(changed, edits)).toBe('{\n  // first\n  "a": 2\n}\n');
});

test.each(['{', '{"a" 1}', '{"a": 1} x', '[1', '{"a": tru}', ''])('%j is refused', (text) => {
  expect(() => jsonTree(text)).toThrow('is no JSON');
});

test('a member of the same name is not replaced', () => {
  const text = '{ "mcpServers": { "agentkeep": { "command": "mine" } } }';
  expect(() => insertions(text, edits)).toThrow('mcpServers.agentkeep is there already');
  expect(() => insertions('{ "hooks": 1 }', edits)).toThrow('hooks is no object');
  expect(() => insertions('{ "hooks": { "Stop": {} } }', edits)).toThrow('no array');
});
