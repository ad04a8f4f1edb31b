/** Formats the results and rates of a run. */
import type { Answer, FoundTurn } from './answer-questions.js';
import { complaintsOf, type ExampleOutcome, type PassOutcome } from './run-example.js';
import type { RecordCount } from './store-dialogues.js';
import type { Trespass } from './try-to-trespass.js';

const QUOTE_CHARACTERS = 60;

/** Returns the report, line by line. */
export function reportOf(outcome: ExampleOutcome): string[] {
  const { conversations, speakers, expected, before, first, second } = outcome;
  const complaints = complaintsOf(outcome);
  const receipts = outcome.hasSameReceipts ? 'the same receipts' : 'OTHER RECEIPTS';
  return [
    `${counted(conversations)} conversations, ${counted(speakers)} speakers: ${records(expected)}`,
    '',
    `First pass   ${passLine(before, first)}`,
    `Second pass  ${passLine(first.stored, second)}, ${receipts}`,
    '',
    ...outcome.answers.flatMap(answerLines),
    '',
    ...outcome.trespasses.map(trespassLine),
    '',
    ...(complaints.length === 0 ? ['Nothing doubled, nothing given away.'] : complaints),
  ];
}

function passLine(before: RecordCount, { stored, commands, elapsedMs }: PassOutcome): string {
  const turns = stored.turns - before.turns;
  const fresh = turns + stored.notes - before.notes;
  const seconds = elapsedMs / 1_000;
  const rate = counted(Math.round(commands / seconds));
  return (
    `${counted(turns)} turns stored, ${counted(fresh)} new records and ` +
    `${counted(commands - fresh)} replays in ${seconds.toFixed(2)} s, ${rate} commands/s`
  );
}

function answerLines({ question, found, elapsedMs }: Answer): string[] {
  const asker = question.speaker ?? 'the reader';
  const [first] = found;
  return [
    `${asker} asks for ${question.label}: ${counted(found.length)} turns, ${elapsedMs.toFixed(1)} ms`,
    ...(first === undefined ? [] : [`  first: ${quote(first)}`]),
  ];
}

function quote({ conversation, turn, speaker, text }: FoundTurn): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' '));
  const start = characters.slice(0, QUOTE_CHARACTERS).join('');
  const rest = characters.length > QUOTE_CHARACTERS ? '…' : '';
  return `${conversation} ${turn} ${speaker}: ${start}${rest}`;
}

function trespassLine({ label, attempts, leaks, outcomes }: Trespass): string {
  const ends = Object.entries(outcomes).map(([outcome, count]) => `${counted(count)} ${outcome}`);
  const verdict = leaks === 0 ? 'kept apart' : `${counted(leaks)} LEAKS`;
  return `${counted(attempts)} × ${label}: ${ends.join(', ') || 'nobody to try'} (${verdict})`;
}

function records({ turns, notes }: RecordCount): string {
  return `${counted(turns)} turns, ${counted(notes)} private notes`;
}

function counted(count: number): string {
  return count.toLocaleString('en');
}
