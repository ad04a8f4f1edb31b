/** Sentences of the records of all benchmarks. */
const SENTENCES = [
  'The deployment finished after two retries and the queue drained within a minute.',
  'Maria asked for a summary of the open incidents before the meeting on Thursday.',
  'The search index was rebuilt overnight because of a changed mapping.',
  'A reminder was set for the review of the quarterly budget with the finance team.',
  'The agent proposed three routes and the user picked the one along the river.',
];

/** Returns the sentence with a number; they repeat. */
export function sentenceAt(index: number): string {
  return SENTENCES[index % SENTENCES.length] ?? '';
}
