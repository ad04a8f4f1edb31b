/**
 * Reads the LoCoMo data set from its own file, `locomo10.json`, and what its public audit found,
 * `errors.json`. Their licence is CC BY-NC 4.0: measure with them, don't ship them.
 */
import { readFile } from 'node:fs/promises';
import { type Half, isInHalfOfLocomo } from './halves.js';

/** A turn of a conversation, or another text. */
export interface Turn {
  readonly id: string;
  readonly text: string;
  readonly atMillis: number;
}

/** What a conversation is asked. */
export interface Question {
  readonly text: string;
  readonly category: string;
  /** Ids of the turns that answer it. */
  readonly turns: readonly string[];
  /** Whether the audit found its answer or its turns wrong. */
  readonly isDisputed: boolean;
  /** Ids of the turns that say what held before, and what replaced it, if it asks about that. */
  readonly change?: { readonly older: readonly string[]; readonly newer: readonly string[] };
}

/** A conversation and the questions about it. */
export interface Conversation {
  readonly id: string;
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
}

/** The categories, by the numbers that the file has for them. */
const CATEGORIES: Readonly<Record<number, string>> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
  5: 'adversarial',
};

interface Sample {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly qa: readonly {
    readonly question: string;
    readonly category: number;
    readonly evidence: readonly string[];
  }[];
}

interface SampleTurn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
}

interface Cue {
  readonly relation_type: string;
  /** What was said, in lines of `A:` and `B:`. */
  readonly cue_dialogue: string;
  /** What is said much later and needs it. */
  readonly trigger_query: string;
}

interface Finding {
  readonly question_id: string;
  readonly correct_evidence: readonly string[];
}

const TURN_MS = 20_000;

/** Reads conversations. Questions without a turn that answers them are left out. */
export async function readLocomo(
  path: string,
  auditPath?: string,
  half: Half = 'all',
): Promise<Conversation[]> {
  const samples = JSON.parse(await readFile(path, 'utf8')) as Sample[];
  const findings =
    auditPath === undefined ? [] : (JSON.parse(await readFile(auditPath, 'utf8')) as Finding[]);
  const findingOf = new Map(findings.map((each) => [each.question_id, each]));
  const conversations = samples.map((sample, index) => {
    const turns = turnsOf(sample);
    const known = new Set(turns.map(({ id }) => id));
    const questions = sample.qa.map((asked, number): Question => {
      const finding = findingOf.get(`locomo_${String(index)}_qa${String(number)}`);
      const evidence = finding?.correct_evidence ?? asked.evidence;
      const named = evidence.flatMap((each) => each.match(/D\d+:\d+/g) ?? []);
      return {
        text: asked.question,
        category: CATEGORIES[asked.category] ?? 'other',
        turns: [...new Set(named)].filter((id) => known.has(id)),
        isDisputed: finding !== undefined,
      };
    });
    return { id: sample.sample_id, turns, questions: questions.filter(hasTurns) };
  });
  return conversations.filter(({ id }) => isInHalfOfLocomo(id, half));
}

/**
 * Reads the conversations with the cues of Locomo-Plus in them, `locomo_plus.json`, at even
 * distances. A cue is to be found by what is said later, with which it shares few words.
 */
export async function readLocomoPlus(
  plusPath: string,
  path: string,
  half: Half = 'all',
): Promise<Conversation[]> {
  const samples = JSON.parse(await readFile(path, 'utf8')) as Sample[];
  const speakersOf = new Map(samples.map((each) => [each.sample_id, each.conversation]));
  const conversations = await readLocomo(path);
  const cues = JSON.parse(await readFile(plusPath, 'utf8')) as Cue[];
  const withCues = conversations.map(({ id, turns }, place) => {
    const own = cues.filter((_, index) => index % conversations.length === place);
    const startMs = turns[0]?.atMillis ?? 0;
    const spanMs = (turns.at(-1)?.atMillis ?? 0) - startMs;
    const all = [...turns];
    const { speaker_a, speaker_b } = speakersOf.get(id) ?? {};
    const speakers = { A: String(speaker_a), B: String(speaker_b) };
    const questions = own.map(({ cue_dialogue, trigger_query, relation_type }, index): Question => {
      const atMillis = startMs + Math.floor((spanMs * (index + 1)) / (own.length + 1));
      const lines = spokenIn(cue_dialogue, speakers);
      const said = lines.map((text, line): Turn => {
        const turn = `cue ${String(index)}:${String(line)}`;
        return { id: turn, text, atMillis: atMillis + TURN_MS * line };
      });
      all.push(...said);
      const found = said.slice(0, 1).map((turn) => turn.id);
      const [text = ''] = spokenIn(trigger_query, speakers);
      return { text, category: relation_type, turns: found, isDisputed: false };
    });
    return { id, turns: all.sort((one, other) => one.atMillis - other.atMillis), questions };
  });
  return withCues.filter(({ id }) => isInHalfOfLocomo(id, half));
}

/** Returns the lines of a dialogue between `A:` and `B:`, as those of a conversation said them. */
function spokenIn(dialogue: string, speakers: Readonly<Record<'A' | 'B', string>>): string[] {
  const lines = dialogue.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => line.replace(/^([AB]):/, (_, who: 'A' | 'B') => `${speakers[who]}:`));
}

function hasTurns({ turns }: Question): boolean {
  return turns.length > 0;
}

function turnsOf({ conversation }: Sample): Turn[] {
  const turns: Turn[] = [];
  for (let session = 1; ; session += 1) {
    const said = conversation[`session_${String(session)}`] as readonly SampleTurn[] | undefined;
    const at = conversation[`session_${String(session)}_date_time`] as string | undefined;
    if (at === undefined) return turns;
    const startMs = timeOf(at);
    for (const [index, { speaker, dia_id: id, text }] of (said ?? []).entries()) {
      turns.push({ id, text: `${speaker}: ${text}`, atMillis: startMs + TURN_MS * index });
    }
  }
}

/** Reads a time such as `1:56 pm on 8 May, 2023`, as UTC. */
function timeOf(text: string): number {
  const [time = '', day = ''] = text.split(' on ');
  return Date.parse(`${day.replace(',', '')} ${time} UTC`);
}
