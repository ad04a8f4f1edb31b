/** What a conversation could have been asked after each of its sessions. */
import {
  type Agent,
  type Embed,
  inMemoryStore,
  type MemoryScopeInput,
  openKeep,
} from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { sampleFile } from '../src/command.js';
import { sessionTag, sharedScope, turnIntent } from '../src/dialogue-records.js';
import { embedGrams } from '../src/hashed-grams.js';
import { type Question, questionsFile, readQuestions } from '../src/measure-recall.js';
import { type Conversation, readDialogues, type Turn } from '../src/read-dialogues.js';

/** A position of the feed. */
type State = { readonly cursor: string };

/** Opens a keep for one conversation; without `embed`, questions find by words only. */
async function keepOf({ id }: Conversation, embed?: Embed) {
  const keep = await openKeep({ store: inMemoryStore(), ...(embed && { embed }) });
  const scopes = [sharedScope(id)];
  const agent = await agentFor(keep, { tenantId: 'recall', subjectId: 'reader', scopes });
  return { agent, [Symbol.asyncDispose]: () => keep.close() };
}

/** Stores the turns of one session, which first changes the newest turn of the session before. */
async function storeSession(
  { memory }: Agent,
  { id, turns }: Conversation,
  session: number,
  where: MemoryScopeInput = sharedScope(id),
) {
  const scope = memory.in(where);
  const tags = { all: [sessionTag(session - 1)] };
  const [newest] = (await scope.searchPage({ tags }, { limit: 1 })).matches;
  if (newest !== undefined) {
    const { payload, record_id: recordId, revision } = newest.record;
    const primary = `${payload.content.primary} So it was before session ${session}.`;
    const record = { ...payload, content: { ...payload.content, primary } };
    await scope.update({ recordId, expectedRevision: revision }, record);
  }
  const records = ofSession(turns, session).map((turn) => turnIntent(turn).record);
  for await (const { outcomes } of scope.createMany(records)) {
    if (outcomes.length > 0) await memory.embedded();
  }
}

function ofSession(turns: readonly Turn[], session: number): Turn[] {
  return turns.filter((turn) => turn.session === session);
}

/** Returns the state that stands now. */
async function stateNow({ memory }: Agent, { id }: Conversation): Promise<State> {
  const page = await memory.in(sharedScope(id)).changesPage({ after: 'latest' });
  return { cursor: page.next_after };
}

/** Returns what questions recall, as texts. */
async function recalled(
  { memory }: Agent,
  { id }: Conversation,
  questions: readonly Question[],
  { asOf, branch }: { readonly asOf?: State; readonly branch?: string } = {},
) {
  const where = sharedScope(id);
  const scope = memory.in(branch === undefined ? where : { ...where, branch });
  const found: string[][] = [];
  for (const { question } of questions) {
    const memories = await scope.recall(question, { limit: 10, around: 1, asOf });
    found.push(memories.map(({ text }) => text));
  }
  return found;
}

test('ASO-3, BRA-6 as of each session, and in a branch of it, questions recall what they did then', async () => {
  const questions = await readQuestions(questionsFile);
  for (const conversation of await readDialogues(sampleFile)) {
    const asked = questions.filter((each) => each.conversation === conversation.id);
    const sessions = [...new Set(conversation.turns.map(({ session }) => session))];
    const then: { asOf: State; branch: string; found: string[][] }[] = [];
    await using whole = await keepOf(conversation, embedGrams);
    for (const session of sessions) {
      await storeSession(whole.agent, conversation, session);
      await using early = await keepOf(conversation, embedGrams);
      for (const each of sessions.slice(0, sessions.indexOf(session) + 1)) {
        await storeSession(early.agent, conversation, each);
      }
      const asOf = await stateNow(whole.agent, conversation);
      const found = await recalled(early.agent, conversation, asked);
      const scopes = [sharedScope(conversation.id)];
      const { id: branch } = await whole.agent.branches.create(`session ${session}`, scopes);
      then.push({ asOf, branch, found });
    }
    for (const { asOf, branch, found } of then) {
      expect(await recalled(whole.agent, conversation, asked, { asOf })).toEqual(found);
      expect(await recalled(whole.agent, conversation, asked, { branch })).toEqual(found);
    }
  }
});

test('BRA-6, BRA-24 a session in a branch recalls as one outside, and does so once merged', async () => {
  const questions = await readQuestions(questionsFile);
  for (const conversation of await readDialogues(sampleFile)) {
    const asked = questions.filter((each) => each.conversation === conversation.id);
    const sessions = [...new Set(conversation.turns.map(({ session }) => session))];
    const scope = sharedScope(conversation.id);
    await using plain = await keepOf(conversation);
    await using branched = await keepOf(conversation);
    for (const session of sessions) {
      await storeSession(plain.agent, conversation, session);
      const expected = await recalled(plain.agent, conversation, asked);
      const before = await recalled(branched.agent, conversation, asked);
      const { branches } = branched.agent;
      const { id: branch } = await branches.create(`session ${session}`, [scope]);
      await storeSession(branched.agent, conversation, session, { ...scope, branch });
      expect(await recalled(branched.agent, conversation, asked, { branch })).toEqual(expected);
      expect(await recalled(branched.agent, conversation, asked)).toEqual(before);
      const { digest } = await branches.diffPage(branch);
      expect(await branches.merge(branch, { digest })).toMatchObject({ state: 'merged' });
      await branches.drop(branch);
      expect(await recalled(branched.agent, conversation, asked)).toEqual(expected);
    }
  }
});
