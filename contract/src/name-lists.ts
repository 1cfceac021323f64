/** Formats of lists that can be imported: our own CSV, the UN's consolidated XML, OFAC's SDN.CSV. */
export const LIST_FORMATS = ['csv', 'un', 'ofac'] as const;

/** What else than a name an entry may be known by. */
export const MARK_KINDS = ['vpa', 'account', 'phone', 'document'] as const;

/** Where a listed name came in. */
export const HIT_PLACES = [
  'collection',
  'payout',
  'claim',
  'send',
  'credit',
  'party',
  'account',
  'kyc',
] as const;

/** What people said of a hit: nothing yet, the listed person, somebody else. */
export const HIT_STATES = ['open', 'same', 'other'] as const;
