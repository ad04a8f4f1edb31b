/** Shared by the tests of exports: short forms of the calls, and what exports have. */
import type { OutputOf } from '@agentkeep/core/clients';
import { type Answer, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { missionScope, recordOf, scope, sharedScope } from '../harness/documents.js';
import type { Fixture } from '../harness/fixture.js';
import { observatory } from '../experiences/experience-fixture.js';
import { openClass } from '../learning/learning-fixture.js';
import { workshop } from '../tools/tool-fixture.js';

/** Everything of the tenant. */
export const ofTenant = { type: 'tenant' };

/** Asks for a page of an export. */
export const exportPage = (caller: Caller, of: unknown = ofTenant, members: Members = {}) =>
  caller.call('exportMemory', { document: { contract_version: 1, of, ...members } });

/** Asks for an import. */
export const importText = (caller: Caller, text: unknown, members: Members = {}) =>
  caller.call('importMemory', { document: { contract_version: 1, text, ...members } });

/** Returns the text of a whole export. */
export async function exported(
  caller: Caller,
  of: unknown = ofTenant,
  members: Members = {},
): Promise<string> {
  let text = '';
  let after: string | null = null;
  do {
    const answer: Answer<'exportMemory'> = await exportPage(caller, of, { ...members, after });
    const { page } = result(answer);
    text += page.text;
    after = page.next_after;
  } while (after !== null);
  return text;
}

/** Returns the outcome of an import. */
export async function imported(
  caller: Caller,
  text: string,
  members: Members = {},
): Promise<OutputOf<'importMemory'>['outcome']> {
  return result(await importText(caller, text, members)).outcome;
}

/** A line of an export. */
export type Line = Readonly<Record<string, unknown>> & { readonly line: string };

/** Returns the lines of a text as documents. */
export function linesOf(text: string): Line[] {
  const lines = text.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Line);
}

/** Returns the lines that don't name the installation. */
export function contentOf(text: string): string[] {
  return text.trimEnd().split('\n').slice(1);
}

/** Returns how many lines of a text an import counts. */
export function countedIn(text: string): number {
  const frame = ['export', 'scope', 'branch', 'manifest'];
  return linesOf(text).filter(({ line }) => !frame.includes(line)).length;
}

/** Writes records with names, embeddings, sources and histories. */
export async function remembered(t: Fixture): Promise<Caller> {
  const agent = await t.agent({ subject_id: 'alice' });
  const vector = { primary: 'with a vector', embedding: [0.5, -0.25, 1] };
  const source = await agent.created(sharedScope, recordOf({ primary: 'a source' }));
  const derived_from = [{ scope: sharedScope, record_id: source, revision: 1 }];
  await agent.created(sharedScope, { ...recordOf({ primary: 'derived' }), derived_from });
  await agent.created(missionScope, recordOf(vector));
  const named = { type: 'put', name: 'handbook', record: recordOf({ primary: 'first' }) };
  const { receipt } = result(await agent.command(scope, named));
  const again = { ...named, record: recordOf({ primary: 'second' }) };
  result(await agent.command(scope, again));
  const embedding = { record_id: receipt.record_id, revision: 2, values: [0.1, 0.2] };
  const attach = { contract_version: 1, scope, space: 'small-1', embeddings: [embedding] };
  result(await agent.call('attachEmbeddings', { document: attach }));
  const gone = await agent.created(scope, recordOf({ primary: 'deleted' }));
  result(await agent.delete(scope, [gone, 1]));
  return agent;
}

/** Makes procedures, tools and attempts. */
export async function learned(t: Fixture): Promise<void> {
  const { author, judge } = await openClass(t);
  result(await author.propose());
  await judge.qualify(10);
  const tools = await workshop(t);
  result(await tools.developer.request());
  result(await tools.report(['e1', 1]));
  const attempts = await observatory(t);
  result(await attempts.writer.register());
  await attempts.observed('e1', 1);
}
