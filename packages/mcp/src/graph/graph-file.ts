/** The file of the reference server of the Model Context Protocol: a graph, line by line. */
import type { RecordInput } from '@agentkeep/client';
import type { Entity } from './graph.js';
import { entityName, entityRecord, relationName, relationRecord } from './graph-records.js';

/** A record of a graph. */
export interface GraphRecord {
  readonly name: string;
  readonly record: RecordInput;
}

/**
 * Gathers the lines of a file as the records that the tools of the graph show and change. Several
 * lines of an entity are one entity with all their observations.
 */
export class GraphFile {
  readonly #entities = new Map<string, Entity>();
  readonly #relations = new Map<string, RecordInput>();

  /**
   * Adds the value of a line; returns the name of its record.
   * @throws {TypeError} for a value that is neither an entity nor a relation.
   */
  async add(line: unknown): Promise<string> {
    const { type, name, entityType, observations, from, to, relationType } = membersOf(line);
    if (type === 'entity' && typeof name === 'string') {
      const added = Array.isArray(observations) ? observations.map(observationText) : [];
      return this.#addEntity({ name, entityType: textOf(entityType), observations: added });
    }
    if (type === 'relation' && typeof from === 'string' && typeof to === 'string') {
      const relation = { from, to, relationType: textOf(relationType) };
      const [recordName] = await relationName(relation);
      this.#relations.set(recordName, relationRecord(relation));
      return recordName;
    }
    throw new TypeError('The line is neither an entity nor a relation.');
  }

  async #addEntity({ name, entityType, observations }: Entity): Promise<string> {
    const [recordName] = await entityName(name);
    const known = this.#entities.get(recordName);
    this.#entities.set(recordName, {
      name,
      entityType: known === undefined || known.entityType === '' ? entityType : known.entityType,
      observations: [...new Set([...(known?.observations ?? []), ...observations])],
    });
    return recordName;
  }

  /** Yields the records of all lines, the entities first. */
  *records(): Generator<GraphRecord, void> {
    for (const [name, entity] of this.#entities) yield { name, record: entityRecord(entity) };
    for (const [name, record] of this.#relations) yield { name, record };
  }
}

function membersOf(line: unknown): Partial<Record<string, unknown>> {
  return typeof line === 'object' && line !== null ? { ...line } : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Some programs write objects with the text of the observation in a member. */
function observationText(observation: unknown): string {
  if (typeof observation === 'string') return observation;
  const { content, text } = membersOf(observation);
  if (typeof content === 'string') return content;
  return typeof text === 'string' ? text : JSON.stringify(observation);
}
