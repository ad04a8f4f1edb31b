/** The tools in the tool loops of version 7: the same cases. */
import { vi } from 'vitest';
import '../tool-loops.test.js';

vi.mock('ai', () => import('ai-7'));
vi.mock('ai/test', async () => {
  const mocks = await import('ai-7/test');
  return { ...mocks, MockLanguageModelV3: mocks.MockLanguageModelV4 };
});
