/** What a user may be to its merchant or supplier. The user a party was made with is always an owner. */
export const PARTY_ROLES = ['owner', 'finance', 'support', 'developer', 'readOnly'] as const;
export type PartyRole = (typeof PARTY_ROLES)[number];

/**
 * What the calls of merchants and suppliers are about that change something or show secrets: the user's own matters, money (payouts
 * claimed and paid too), orders and their notifications, accounts, keys and addresses of the API, signing a call with them, and the
 * party itself with its users.
 */
export const PARTY_DUTIES = ['own', 'money', 'orders', 'accounts', 'keys', 'signing', 'party'] as const;
export type PartyDuty = (typeof PARTY_DUTIES)[number];

const HOLDERS: Readonly<Record<PartyDuty, readonly PartyRole[]>> = {
  own: PARTY_ROLES,
  money: ['owner', 'finance'],
  orders: ['owner', 'finance', 'support'],
  accounts: ['owner', 'finance'],
  keys: ['owner', 'developer'],
  signing: ['owner', 'finance', 'developer'],
  party: ['owner'],
};

/** Who acts: staff and the user a party was made with have no role within a party, and all duties of their role. */
export interface PartyActor {
  readonly partyRole?: PartyRole | undefined;
}

/** Whether a user has the duty. A call without one is for no further user of a party. */
export function hasDuty({ partyRole }: PartyActor, duty: PartyDuty | undefined): boolean {
  return partyRole === undefined || (duty !== undefined && HOLDERS[duty].includes(partyRole));
}

/** The roles within a party that have a duty. */
export const holdersOf = (duty: PartyDuty): readonly PartyRole[] => HOLDERS[duty];
