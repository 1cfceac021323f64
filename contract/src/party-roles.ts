/** The roles of a user within its merchant or supplier. The user that a party was made with is always an owner. */
export const PARTY_ROLES = ['owner', 'finance', 'support', 'developer', 'readOnly'] as const;
export type PartyRole = (typeof PARTY_ROLES)[number];

/**
 * The duties of calls by which merchants and suppliers change something or see secrets: the user's own matters, money (also
 * claiming and paying payouts), orders and their callbacks, accounts, keys and addresses of the API, signing a call with the
 * keys, and the party itself with its users.
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

/** The acting user. Staff and the user that a party was made with have no role within a party and have all duties of their role. */
export interface PartyActor {
  readonly partyRole?: PartyRole | undefined;
}

/** Whether a user has the duty. No further user of a party may make a call without a duty. */
export function hasDuty({ partyRole }: PartyActor, duty: PartyDuty | undefined): boolean {
  return partyRole === undefined || (duty !== undefined && HOLDERS[duty].includes(partyRole));
}

/** The roles within a party that have a duty. */
export const holdersOf = (duty: PartyDuty): readonly PartyRole[] => HOLDERS[duty];
