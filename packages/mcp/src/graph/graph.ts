/** The documents of a knowledge graph, as programs made for the reference server know them. */

/** A known thing, with the observations about it. */
export interface Entity {
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}

/** How one entity relates to another. */
export interface Relation {
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

/** Entities and relations, each in the order of their creation. */
export interface Graph {
  readonly entities: readonly Entity[];
  readonly relations: readonly Relation[];
}
