/** The generated files of the Python client are current. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pythonFolder } from './find-python.ts';
import { pythonFiles } from './python-files.ts';
import { syncSource } from './sync-source.ts';

const files = pythonFiles();

test.each([...files])('%s is current; else run `npm run python:build`', (path, text) => {
  const full = join(pythonFolder, path);
  expect(existsSync(full) ? readFileSync(full, 'utf8') : '').toBe(text);
});

test.each(['src/agentkeep/_sync', 'tests/_sync'])('%s has nothing else', (folder) => {
  const names = readdirSync(join(pythonFolder, folder)).filter((name) => name.endsWith('.py'));
  const byHand = names.filter((name) => !files.has(`${folder}/${name}`));
  expect(byHand.filter((name) => !['__init__.py', '_platform.py'].includes(name))).toEqual([]);
});

test('an asynchronous source becomes a synchronous one', () => {
  const source = [
    'class AsyncMemory:',
    '    async def walk(self) -> AsyncIterator[str]:',
    '        async with self._lock:',
    '            async for each in self._pages():',
    '                yield await self._read(each)',
    'Renew = Callable[[], Awaitable[Dict[str, Any]]]',
  ];
  expect(syncSource(source.join('\n')).split('\n')).toEqual([
    'class Memory:',
    '    def walk(self) -> Iterator[str]:',
    '        with self._lock:',
    '            for each in self._pages():',
    '                yield self._read(each)',
    'Renew = Callable[[], Dict[str, Any]]',
  ]);
});

test('the version is that of the server', () => {
  const manifest = readFileSync(join(pythonFolder, 'pyproject.toml'), 'utf8');
  const version = /^version = "(?<version>.+)"$/m.exec(manifest)?.groups?.['version'];
  expect(files.get('src/agentkeep/_contract.py')).toContain(`VERSION = "${version}"`);
});
