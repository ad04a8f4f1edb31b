/** Samples of the stored values of lineage, consumers and embeddings. */
import { memoryConsumers } from '../../src/domains/memory/consumers/consumer-store.js';
import { embeddingProgress } from '../../src/domains/memory/meaning/embedding-progress.js';
import {
  memoryDependents,
  memoryRedactedSources,
  memorySources,
} from '../../src/domains/memory/record/source-store.js';
import { memoryTraced, memoryTraces } from '../../src/domains/memory/record/trace-store.js';
import { positionOf } from '../../src/storage/store/position.js';
import { sample } from './sample.js';
import { ID, OTHER_ID } from './sample-documents.js';

const digest = Buffer.alloc(32, 7);

/** Samples by subspace. */
export const lineageSamples = {
  memorySources: [
    sample(
      memorySources,
      [
        [Buffer.from(digest).toString('base64url'), OTHER_ID, 3],
        [null, OTHER_ID, 4],
      ],
      ...(['acme', digest, ID, 2] as const),
    ),
  ],
  memoryDependents: [
    sample(memoryDependents, null, ...(['acme', digest, OTHER_ID, 3, digest, ID, 2] as const)),
  ],
  memoryRedactedSources: [sample(memoryRedactedSources, null, 'acme', digest, OTHER_ID, 3)],
  memoryTraces: [
    sample(
      memoryTraces,
      { run: 2, mode: 'cascade', startedAtMillis: 5, isFinished: false },
      ...(['acme', digest, OTHER_ID, 3] as const),
    ),
  ],
  memoryTraced: [
    sample(
      memoryTraced,
      {
        isRoot: false,
        isWhole: true,
        outcome: 'deleted',
        after: [1, Buffer.from(digest).toString('base64url'), ID, 2],
      },
      ...(['acme', digest, OTHER_ID, 3, 2, 0, digest, ID, 2] as const),
    ),
  ],
  memoryConsumers: [
    sample(
      memoryConsumers,
      {
        name: 'nightly',
        scope: { project_id: 'p', mission_id: null, agent_id: 'a', visibility: 'private' as const },
        position: Uint8Array.from(positionOf(3, 2, 1)),
        createdAtMillis: 5,
        committedAtMillis: 7,
        lease: { holder: 'worker-1', untilMillis: 9 },
        page: { to: Uint8Array.from(positionOf(3, 2, 2)), limit: 50 },
      },
      ...(['acme', 'worker', 'nightly'] as const),
    ),
  ],
  embeddingProgress: [
    sample(
      embeddingProgress,
      { space: 'use-lite-en', from: '00ff', walk: null, lease: { holder: ID, untilMillis: 5 } },
      'acme',
    ),
  ],
};
