/** Runs the conformance suite on the PostgreSQL store with locks that are rows. */
import { conformanceWith } from './conformance-suite.js';

conformanceWith('rows');
