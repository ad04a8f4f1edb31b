/** Prints the table of recall for a file of conversations, or for the sample. */
import { sampleFile } from './command.js';
import { embedGrams } from './hashed-grams.js';
import { measureRecall, questionsFile, readQuestions } from './measure-recall.js';
import { readDialogues } from './read-dialogues.js';

const [path = sampleFile] = process.argv.slice(2);
const conversations = await readDialogues(path);
const measured = await measureRecall(conversations, await readQuestions(questionsFile), embedGrams);
const turns = conversations.reduce((sum, each) => sum + each.turns.length, 0);
const lines = [
  `${String(measured.questions)} questions about ${String(turns)} turns`,
  '',
  '| Search | Recall at 10 |',
  '| ------ | ------------ |',
  ...measured.ways.map(({ way, recall }) => `| ${way} | ${(100 * recall).toFixed(0)} % |`),
];
process.stdout.write(`${lines.join('\n')}\n`);
