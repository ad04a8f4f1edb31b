/** Runs the conformance suite on the PostgreSQL store with advisory locks, the default. */
import { conformanceWith } from './conformance-suite.js';

conformanceWith('advisory');
