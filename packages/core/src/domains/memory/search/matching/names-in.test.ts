/** Which names occur in a text. */
import { expect, test } from 'vitest';
import { namesIn } from './names-in.js';

const inOrder = [
  ['a name in another case and width', 'Ｋ８s deploys', 'k8s', true],
  ['all words of a name in a row', 'is the CI-pipeline red?', 'ci_pipeline', true],
  ['words of a name in another order', 'the pipeline of CI', 'CI pipeline', false],
  ['words of a name apart', 'the CI of a pipeline', 'CI pipeline', false],
  ['a part of a word', 'reactive', 'react', false],
  ['a unit left out', 'eror handling', 'error handling', true],
  ['a unit added', 'Reedis cache', 'Redis', true],
  ['a unit added at the end', 'mongod', 'Mongo', true],
  ['a unit replaced', 'kubernetez', 'Kubernetes', true],
  ['two units exchanged', 'typsecript', 'TypeScript', true],
  ['two units exchanged at the end', 'kubernetse', 'Kubernetes', true],
  ['two errors', 'typsecrpt', 'TypeScript', false],
  ['an error among the first two units', 'mango', 'Mongo', false],
  ['an error in a short word', 'kuge', 'kube', false],
  ['an error in each of two words', 'eror handlin', 'error handling', true],
  ['a part of a run without spaces', '好きな猫です', '猫', true],
  ['a name without a word', 'what? -', '-', false],
] as const;

test.each(inOrder)('%s', (_title, text, name, isIn) => {
  const isNamed = namesIn(text);
  expect([isNamed(name), isNamed(name)]).toEqual([isIn, isIn]);
});
