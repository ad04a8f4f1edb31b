/** The links of searches: their scopes, and their cursors, which belong to one search each. */
import { learnedResource, type Links, use } from './link.js';

/** Links of `searchMemory`. */
export const searchMemory: Links = {
  uses: [
    use('record', { 'document.scopes.0': 'scope' }),
    use('cursor of a search', {
      'document.scopes': 'scopes',
      'document.filter!': 'filter',
      'document.order!': 'order',
      'document.counts!': 'counts',
      'document.vector!': 'vector',
      'document.words!': 'words',
      'document.cursor!': 'id',
    }),
  ],
  teaches: [
    learnedResource('cursor of a search', 'answer.page.next_cursor', {
      scopes: 'document.scopes',
      filter: 'document.filter',
      order: 'document.order',
      counts: 'document.counts',
      vector: 'document.vector',
      words: 'document.words',
    }),
  ],
};

/** Links of `attachEmbeddings`. */
export const attachEmbeddings: Links = {
  uses: [
    use('record', {
      'document.scope': 'scope',
      'document.embeddings.0.record_id': 'id',
      'document.embeddings.0.revision': 'revision',
    }),
  ],
};
