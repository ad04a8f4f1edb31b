/** Every failure message says what happened and what to do next. */
import { AgentkeepError, type ErrorCode } from '@agentkeep/core';
import { describe, expect, it } from 'vitest';
import { ListenError } from '../../lifecycle/listen-error.js';
import { InvalidOptionsError } from '../../options/invalid-options-error.js';
import { CommandError } from '../command/command-error.js';
import { failureMessage } from './failure.js';

function systemError(code: string, message = `${code}: text of the system`): Error {
  return Object.assign(new Error(message), { code });
}

const storeError = (code: ErrorCode, cause: Error) => new AgentkeepError(code, { cause });

describe('failureMessage', () => {
  it.each([
    [
      'a directory in use',
      storeError('store_in_use', new Error('Another process has it open.')),
      'The data directory /data is in use by another process. Stop that process, or name another ' +
        'directory with --data-dir.',
    ],
    [
      'a directory that is not a store',
      storeError('store_incompatible', new Error('/data holds no store.')),
      'This data directory is not one that this version can open. Check the path, or restore a ' +
        'snapshot.\n  because: /data holds no store.',
    ],
    [
      'a nearly full disk',
      new AgentkeepError('store_full'),
      'Free disk space is below the reserve, so writes are refused. Free some space and retry. ' +
        '(/data)',
    ],
    [
      'a full disk',
      storeError('store_unavailable', systemError('ENOSPC')),
      'The data directory cannot be used. The disk is full. Free some space and repeat the ' +
        'command.\n  because: ENOSPC: text of the system',
    ],
    [
      'a directory of another user',
      storeError(
        'store_unavailable',
        systemError('EACCES', "EACCES: permission denied, mkdir '/x'"),
      ),
      'The data directory cannot be used. This user lacks the permission. Run as the owner of the ' +
        'directory, give it to this user, or name another one with --data-dir.\n' +
        "  because: EACCES: permission denied, mkdir '/x'",
    ],
    [
      'a file where a directory should be',
      storeError('store_unavailable', systemError('ENOTDIR')),
      'The data directory cannot be used. A part of the path is a file. Name a directory with ' +
        '--data-dir.\n  because: ENOTDIR: text of the system',
    ],
    [
      'a bare system error',
      systemError('ENOSPC', 'ENOSPC: no space left on device, write'),
      'ENOSPC: no space left on device, write. The disk is full. Free some space and repeat the ' +
        'command.',
    ],
    [
      'a closed standard output',
      systemError('EPIPE', 'write EPIPE'),
      'write EPIPE. The reader of standard output closed it before everything was written.',
    ],
    [
      'ids that break the text rule',
      new AgentkeepError('invalid_request', {
        members: [{ path: 'tenantId', expected: 'a text' }],
      }),
      'Refused: tenantId. Ids have 1 to 256 UTF-8 bytes, are not blank and hold no control ' +
        'characters.',
    ],
    [
      'a taken port',
      new ListenError({ host: '127.0.0.1', port: 80 }, systemError('EADDRINUSE')),
      'Cannot listen on 127.0.0.1, port 80: the port is taken. Stop the process that uses it, or ' +
        'choose another port.',
    ],
    ['options', new InvalidOptionsError(['one', 'two']), 'one\ntwo'],
    ['a message of the command itself', new CommandError('Do this.'), 'Do this.'],
  ])('explains %s', (_, error, expected) => {
    expect(failureMessage(error, '/data')).toBe(expected);
  });

  it('reports an unexpected error as a defect, with its stack', () => {
    const message = failureMessage(new RangeError('odd'), '/data');
    expect(message).toMatch(/^Unexpected failure: this is a defect of Agentkeep. RangeError: odd/);
    expect(message).toContain('failure.test');
    expect(failureMessage('odd', '/data')).toContain('odd');
  });

  it('holds no secret', () => {
    const secret = `akg1_${'0'.repeat(32)}_${'a'.repeat(43)}`;
    expect(failureMessage(new Error(`Not ${secret}.`), '/data')).not.toContain(secret);
  });
});
