/** The kinds of entities that the entity view shows, in the order of its list. */
export const ENTITY_KINDS = [
  'collectionOrder',
  'payoutOrder',
  'merchant',
  'supplier',
  'account',
  'monitor',
  'message',
  'chainNode',
  'posting',
  'callback',
  'approval',
  'payoutBatch',
  'user',
] as const;

export type EntityKind = (typeof ENTITY_KINDS)[number];
