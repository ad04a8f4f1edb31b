/** The long texts of the records that one slice shows, as they are held in memory. */
import type { HeldText, HeldTexts, RecordFacts } from '../../../../kernel/ports/memory-scan.js';
import type { StoredRecord } from '../../record/record-layout.js';
import type { MemorySource } from '../../view/memory-source.js';
import type { CompiledOrder } from '../matching/search-order.js';

/** Texts whose words one slice reads, so that no search waits long for later ones. */
const READ_MAX = 4;

/** What one slice learned of the texts of a source. */
interface Learned {
  readonly facts: RecordFacts[];
  readonly learn: ReturnType<HeldTexts['learner']>;
}

/** Texts that passages are looked for in. */
export class ShownTexts {
  readonly #passages: CompiledOrder['passages'];
  readonly #learned = new Map<HeldTexts, Learned>();
  #reads = 0;

  constructor({ passages }: Pick<CompiledOrder, 'passages'>) {
    this.#passages = passages;
  }

  /** Returns the cached text of a record that was read in this slice. */
  of({ texts }: MemorySource, recordId: string, record: StoredRecord): HeldText | undefined {
    if (texts === undefined || this.#passages?.isHeld(record) !== true) return undefined;
    const held = texts.find(recordId);
    const text = this.#passages.toHold(record, held, this.#mayRead);
    if (text !== held) {
      const { facts } = this.#learnedOf(texts);
      facts.push({ recordId, text, values: [] });
    }
    return text;
  }

  /** Holds what the slice learned. Call it after the read. */
  learn(): void {
    for (const { facts, learn } of this.#learned.values()) learn(facts);
  }

  readonly #mayRead = (): boolean => {
    this.#reads += 1;
    return this.#reads <= READ_MAX;
  };

  #learnedOf(texts: HeldTexts): Learned {
    let learned = this.#learned.get(texts);
    if (learned === undefined) {
      learned = { facts: [], learn: texts.learner() };
      this.#learned.set(texts, learned);
    }
    return learned;
  }
}
