/** The pages of jobs, followed word for word in a shell: each job is done at the end. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '@agentkeep/server/client';
import { PageShell, SCOPE, TEXT } from '@agentkeep/testkit/page-shell';
import { commandsOf, followedPages } from '../../../scripts/docs/followed-pages.js';

type Page = (typeof followedPages.alone)[number];

/** What a job must have achieved, given what each block of its page printed. */
type Achieved = (shell: PageShell, printed: readonly string[]) => Promise<void>;

const achieved: Record<Page, Achieved> = {
  'docs/jobs/back-up-and-restore.md': async (shell, [, tried = '']) => {
    expect(tried).toContain('Equal to ');
    expect(tried).toContain(TEXT);
    expect(await textOfStyle(shell)).toBe(TEXT);
    expect(await readdir(join(shell.directory, 'backup'))).toHaveLength(1);
  },
  'docs/jobs/rotate-a-leaked-credential.md': async (shell, [rotated, damage = '']) => {
    expect(rotated).toMatch(/^revision +2$/m);
    expect(await shell.read('shell.error')).toContain('(unauthorized)');
    expect(damage).toContain(TEXT);
    expect(damage).toMatch(/^verified: \d+ events checked/m);
    const { credential, secret } = JSON.parse(await shell.read('rotated.json')) as Issued;
    expect(credential.revision).toBe(3);
    const all = [shell.secrets.helper, (await shell.read('helper')).trim(), secret];
    expect(new Set(all).size).toBe(3);
    for (const each of all) await expectRefused(shell, each);
    const admin = connect({ url: shell.url, secret: shell.secrets.admin });
    const { history } = await admin.credentials.inspect(credential.id);
    const actions = history.map(({ action }) => action);
    expect(actions).toEqual(['issued', 'rotated', 'rotated', 'revoked']);
  },
  'docs/jobs/see-who-did-what.md': async (shell, [who = '', , verified]) => {
    const [history = '', writes = '', changes = ''] = who.split(/^(?=REVISION|TIMESTAMP)/m);
    expect(history).toMatch(new RegExp(`^1 .* helper +${TEXT}$`, 'm'));
    expect(writes).toMatch(/access_granted +success +helper/);
    expect(changes).toMatch(/configuration_changed +success +ops/);
    const [request = ''] = (await shell.read('requests.jsonl')).split('\n');
    expect(JSON.parse(request)).toMatchObject({
      username: 'helper',
      metadata: { change: 'created', revision: 1, scope: SCOPE },
    });
    expect(verified).toMatch(/^verified: \d+ events in \d+ blocks/);
  },
  'docs/jobs/take-your-memory-with-you.md': async (shell, [all = '', moved = '', given, last]) => {
    expect(all).toContain('"line":"manifest","counts":{"scope":1,"record":1}');
    const imports = ['Would store 1 lines, 0 unchanged', 'Stored 1 lines, 0 unchanged'];
    expect(moved.trimEnd().split('\n').slice(-3)).toEqual([
      ...imports,
      'Stored 0 lines, 1 unchanged',
    ]);
    expect(given).toMatch(/helper-memory\/.*style\.md$/m);
    const lineOf = (text: string): unknown => JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
    expect(lineOf(last ?? '')).toEqual(lineOf(all));
    expect(await shell.read('helper.jsonl')).toContain(TEXT);
  },
  'docs/jobs/upgrade.md': async (shell, [before = '', , after = '']) => {
    const [, version = 'none'] = /^(\d+\.\d+\.\d+)$/m.exec(before) ?? [];
    expect(after).toContain(`"version":"${version}"`);
    expect(after).not.toContain('problem');
    expect(await textOfStyle(shell)).toBe(TEXT);
    expect(await readdir(shell.directory)).toContain('data-of-the-new-version');
  },
  'docs/jobs/watch-a-server.md': async (shell, [probes = '', errors]) => {
    expect(probes).toContain('"live"');
    expect(probes).toContain('"ready"');
    expect(errors).toBe('0\nno errors\n');
    await textOfStyle(shell);
    const metrics = await metricsOf(shell);
    const rules = await readFile(join(import.meta.dirname, '../deploy/watch/rules.yaml'), 'utf8');
    const series = Array.from(rules.matchAll(/agentkeep_\w+/g), ([name]) => name);
    const labels = Array.from(rules.matchAll(/(queue|operation)=~"([^"]+)"/g)).flatMap(
      ([, label = '', values = '']) => values.split('|').map((value) => `${label}="${value}"`),
    );
    expect(new Set(series).size).toBe(12);
    expect(labels).toHaveLength(24);
    const missing = [...series, ...labels].filter((each) => !metrics.includes(each));
    // The server of this page has no replication target and no model.
    const ofOthers = ['agentkeep_replication_lag_seconds', 'agentkeep_model_up'];
    expect(new Set(missing)).toEqual(new Set(ofOthers));
  },
};

const WATCH = 'docs/jobs/watch-a-server.md';

test.each(followedPages.alone)(
  '%s does its job when it is followed word for word',
  async (page) => {
    await using shell = await PageShell.open();
    const startsServer = page === WATCH;
    const printed = await shell.follow(commandsOf(page), { startsServer });
    await achieved[page](shell, printed);
  },
);

interface Issued {
  readonly credential: { readonly id: string; readonly revision: number };
  readonly secret: string;
}

async function textOfStyle({ url, secrets }: PageShell): Promise<string | undefined> {
  const agent = connect({ url, secret: secrets.helper });
  return (await agent.memory.in(SCOPE).read({ name: 'style' }))?.payload.content.primary;
}

async function expectRefused({ url }: PageShell, secret: string): Promise<void> {
  await expect(connect({ url, secret }).whoAmI()).rejects.toMatchObject({ code: 'unauthorized' });
}

/** What the server of the page about metrics shows, after each call that a rule names. */
async function metricsOf(shell: PageShell): Promise<string> {
  const memory = connect({ url: shell.url, secret: shell.secrets.helper }).memory.in(SCOPE);
  const content = { primary: TEXT };
  const record = { episode_type: 'Observation', content, event_time_millis: 0 } as const;
  const { record_id: id } = await memory.create(record);
  await memory.batch([{ type: 'create', record }]);
  await memory.read(id);
  await memory.queryPage();
  await memory.searchPage({ words: { text: 'short answers' } });
  const authorization = await shell.read('metrics.header');
  const [name = '', value = ''] = authorization.split(': ');
  return (await fetch(`${shell.url}/metrics`, { headers: { [name]: value } })).text();
}
