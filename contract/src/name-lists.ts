/** Formats of lists that can be imported: our own CSV, the UN's consolidated XML, OFAC's SDN.CSV. */
export const LIST_FORMATS = ['csv', 'un', 'ofac'] as const;

/** What an entry may be known by, in addition to names. */
export const MARK_KINDS = ['vpa', 'account', 'phone', 'document'] as const;

/** Where a listed name was found. */
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

/** A person's answer to a hit: none yet, the listed person, or somebody else. */
export const HIT_STATES = ['open', 'same', 'other'] as const;
