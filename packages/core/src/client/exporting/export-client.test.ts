/** Tests that an export is checked alike with the digest of a keep and with the portable one. */
import { describe, expect, test } from 'vitest';
import { sha256Stream } from '../../contract/digest.js';
import type { CallOperation } from '../call.js';
import { ExportClient } from './export-client.js';

const lines = ['{"line":"export"}', '{"line":"record","n":1}', '{"line":"record","n":2}'];
const [, first, second] = lines;
const sha256 = sha256Stream().update(`${first}\n${second}\n`).digestText('hex');
const manifest = JSON.stringify({ line: 'manifest', sha256 });

/** Answers each import as one that stored nothing. */
function importing(): CallOperation {
  const outcome = { stored: 0, unchanged: 2, refused: 0, problems: [] };
  return (() => Promise.resolve({ contract_version: 1, outcome })) as unknown as CallOperation;
}

const portable = new ExportClient(importing());
const ofKeep = new ExportClient(Object.assign(importing(), { newSha256: sha256Stream }));

describe.each([
  { digest: 'the portable digest', client: portable },
  { digest: 'the digest of a keep', client: ofKeep },
])('with $digest', ({ client }) => {
  test('a whole export is accepted', async () => {
    const text = [...lines, manifest, ''].join('\n');
    expect(await client.import([text])).toMatchObject({ unchanged: 2 });
  });

  test('a changed line is found', async () => {
    const text = [...lines, manifest, ''].join('\n').replace('"n":2', '"n":3');
    await expect(client.import([text])).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('damaged') as string,
    });
  });
});
