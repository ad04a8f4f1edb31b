/** What the agents of the company remember. */
import type { RecordInput, ScopeInput } from '@agentkeep/core';

/** The scopes of the company. */
export const scopes = {
  desk: { project_id: 'support', agent_id: 'desk', visibility: 'shared' },
  stock: { project_id: 'purchasing', agent_id: 'stock', visibility: 'shared' },
  texts: { project_id: 'catalog', agent_id: 'texts', visibility: 'shared' },
  tours: { project_id: 'events', agent_id: 'tours', visibility: 'shared' },
  notes: { project_id: 'office', agent_id: 'notes', visibility: 'private' },
} as const satisfies Readonly<Record<string, ScopeInput>>;

/** A text that an agent remembers. */
export interface Memory {
  readonly text: string;
  readonly name?: string;
  readonly tags: readonly string[];
  readonly source?: RecordInput['source'];
  readonly type?: 'Observation' | 'Conversation' | 'Decision' | 'Error';
}

/** Memories of the help desk, the oldest first. */
export const deskMemories: readonly Memory[] = [
  {
    text: 'Ann Ekdal rides 40 km to work each day and wants tyres that do not need care.',
    name: 'customer/ann-ekdal',
    tags: ['customer', 'commuter'],
    source: 'user',
    type: 'Conversation',
  },
  {
    text: 'Returns within 30 days need the receipt, but not the original box.',
    name: 'policy/returns',
    tags: ['policy'],
    source: 'document',
    type: 'Decision',
  },
  {
    text: 'Bruno Sala asked twice why the gears of his cargo bike slip under load.',
    tags: ['customer', 'gears'],
    source: 'user',
    type: 'Conversation',
  },
  {
    text: 'The gears of cargo bikes slip when the cable was not tightened after 300 km.',
    name: 'fault/cargo-gears',
    tags: ['fault', 'gears'],
    source: 'tool',
  },
  {
    text: 'Customers in Uppsala ask for pick-up on Saturdays more often than for delivery.',
    tags: ['delivery'],
    source: 'model',
  },
  {
    text: 'Ann Ekdal prefers short answers by mail, and no calls before ten.',
    name: 'customer/ann-ekdal/contact',
    tags: ['customer', 'preference'],
    source: 'user',
  },
  {
    text: 'The address check of the carrier refuses streets with a slash in the number.',
    tags: ['fault', 'delivery'],
    source: 'tool',
    type: 'Error',
  },
  {
    text: 'Chidi Okafor needs a child seat that fits a step-through frame of 45 cm.',
    name: 'customer/chidi-okafor',
    tags: ['customer', 'family'],
    source: 'user',
    type: 'Conversation',
  },
];

/** Memories of the stock room. */
export const stockMemories: readonly Memory[] = [
  {
    text: 'Tyres of 28 inches run out each April, three weeks before the first warm weekend.',
    name: 'season/tyres-28',
    tags: ['season', 'tyres'],
    source: 'model',
  },
  {
    text: 'Velofil delivers in 9 days, and in 15 when the order has batteries in it.',
    name: 'supplier/velofil',
    tags: ['supplier'],
    source: 'document',
  },
  {
    text: 'Order child seats with the bikes that they fit, since both arrive on one pallet then.',
    tags: ['supplier', 'family'],
    source: 'user',
    type: 'Decision',
  },
];

/** Memories of the catalogue. */
export const textMemories: readonly Memory[] = [
  {
    text: 'Say how far a battery lasts with a headwind. Customers trust texts that do.',
    name: 'style/range',
    tags: ['style'],
    source: 'user',
    type: 'Decision',
  },
  {
    text: 'The page of the cargo bike is read to its end by one visitor in five.',
    tags: ['figures'],
    source: 'tool',
  },
];

/** Private notes of the analyst. */
export const noteMemories: readonly Memory[] = [
  {
    text: 'Compare April with the year before once the returns of March are in.',
    tags: ['to do'],
    source: 'model',
  },
];
