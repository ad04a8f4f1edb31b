/** Numbers that a double can't hold are refused by name, over HTTP and over standard input. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { scope, ways } from './keep-fixture.js';
import { served, stdioProgram } from './served.js';

const numbers = ['1234567890123456789', '-9007199254740993', '1e400', '9007199254740993.0'];

/** Returns the text of a call that stores a number, which JSON.stringify can't write. */
function callOf(id: number, number: string): string {
  const given = { scope, record: { content: { primary: 'x', data: { v: ['number'] } } } };
  const params = { name: 'memory_create', arguments: given };
  const call = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
  return call.replace('"number"', number);
}

describe('CON-151 numbers in the arguments of tools', () => {
  test('over HTTP', async () => {
    await using server = await served();
    const headers = {
      Authorization: `Bearer ${await server.fixture.issue('helper')}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    const ask = async (number: string): Promise<string> => {
      const body = callOf(1, number);
      const answer = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body });
      return answer.text();
    };
    for (const number of numbers) {
      expect(await ask(number)).toContain('invalid_request: `record.content.data.v[0]`');
    }
    expect(await ask('1152921504606847000')).toContain('created');
  });

  test.each(ways)('over standard input: %s', async (way) => {
    await using server = await served();
    const target = await stdioProgram(way, server, 'agentkeep');
    if (!('command' in target)) throw new Error('It is a program.');
    const { command, env } = target;
    const [program, ...words] = command;
    const child = spawn(program, words, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const ask = async (line: string): Promise<string> => {
      child.stdin.write(`${line}\n`);
      return String((await lines.next()).value);
    };
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    await ask(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    for (const [at, number] of numbers.entries()) {
      expect(await ask(callOf(at + 1, number))).toContain('record.content.data.v[0]');
    }
    expect(await ask(callOf(9, '1152921504606847000'))).toContain('created');
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
