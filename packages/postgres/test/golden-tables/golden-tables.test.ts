/** Tables that released versions made and filled, opened by this one. */
import { readdirSync } from 'node:fs';
import { verifyAudit } from '@agentkeep/core/operator';
import { describe, expect, test } from 'vitest';
import { newDatabaseUrl } from '../fixture.js';
import { catalogOf, fill, FOLDER, load, openFilled, SCOPE, TEXTS } from './golden-tables.js';

const releases = readdirSync(FOLDER).map((name) => name.replace(/\.sql$/u, ''));

describe.each(releases)('the tables of %s', (release) => {
  test('have what was stored, take more, and continue the feed', async () => {
    const url = await newDatabaseUrl();
    const { secret, position } = await load(release, url);
    await using keep = await openFilled(url);
    const memory = (await keep.authenticate(secret)).memory.in(SCOPE);
    await memory.remember('Quokkas do not ride bicycles.');
    const { changes } = await memory.changesPage({ after: position });
    expect(changes).toHaveLength(TEXTS.length);
    expect((await memory.recall('When does the shop open?'))[0]?.text).toBe(TEXTS[0]);
    expect((await memory.count({})).matches).toBe(TEXTS.length + 1);
    expect(await verifyAudit(keep)).toMatchObject({ status: 'verified' });
  });

  test('become those that a new database gets', async () => {
    const [url, fresh] = [await newDatabaseUrl(), await newDatabaseUrl()];
    await load(release, url);
    await (await openFilled(url)).close();
    await fill(fresh);
    expect(await catalogOf(url)).toEqual(await catalogOf(fresh));
  });
});
