/** The space of embeddings that records have of their own. Every scope has it. */
export const DEFAULT_SPACE = 'default';
