import { ADMINS, type Role } from './roles.ts';

/** Who answers payers and payees, and sends the money. */
const DESK: readonly Role[] = [...ADMINS, 'customerService'];

/**
 * Which roles see personal data whole, by where it stands; the others see it masked (docs/domain.md#masking). A supplier sees the payee
 * of what it pays as long as it pays it (server, payout/row.ts). An account's own number and VPA are its owner's alone.
 */
export const SEES_WHOLE = {
  /** The payer's name on a collection. */
  payerName: DESK,
  /** Name, account number, VPA, address and phone of a payee. */
  payee: DESK,
  /** Screenshots of a payment. A picture cannot be masked: others do not see it. */
  paymentPicture: [...DESK, 'supplier', 'merchant'],
  /** Slips of a payout's payment: they show the account that paid it. Who added one is told how many there are. */
  payoutSlip: DESK,
  /** Texts of banks, and what callbacks sent and got. */
  text: ['superAdmin'],
  /** What a pay script was given, sent and got. */
  scriptCall: ['superAdmin'],
  /** Rows, history and audit of any entity. */
  record: ['superAdmin'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

/** Who sees orders masked and may be shown one value at a time, for a reason; merchants of their own orders. */
export const REVEALERS: readonly Role[] = ['technicalMaintenance', 'merchant'];
/** How many of them a user is shown in 24 hours. */
export const REVEALS_A_DAY = 50;
export const REVEALED_FIELDS = ['userName', 'cardNumber', 'vpa', 'usdtAddress', 'phone'] as const;

export type PersonalData = keyof typeof SEES_WHOLE;

export function seesWhole({ role }: { readonly role: Role }, data: PersonalData): boolean {
  return SEES_WHOLE[data].some((each) => each === role);
}

interface PersonalList {
  readonly data: PersonalData;
  readonly fields: readonly string[];
}

const PAYEE_FIELDS = ['userName', 'cardNumber', 'vpa', 'usdtAddress', 'phone'];
const MESSAGE: PersonalList = { data: 'text', fields: ['sender', 'text', 'payer'] };

/** Lists whose rows hold personal data, and in which fields, by the path of the call. */
export const PERSONAL_LISTS: Readonly<Record<string, PersonalList>> = {
  // With orderType 1 it lists payouts.
  '/v1.0/order/getList': { data: 'payee', fields: PAYEE_FIELDS },
  '/v1.0/payoutOrder/getList': { data: 'payee', fields: PAYEE_FIELDS },
  '/v1.0/orderAnalysis/getLostOrders': { data: 'payerName', fields: ['userName'] },
  '/v1.0/orderAnalysis/getLostMoney': MESSAGE,
  '/v1.0/bankStatement/getList': MESSAGE,
  '/v1.0/webMessage/getList': MESSAGE,
  '/v1.0/orderCallBack/getDetailList': { data: 'text', fields: ['request', 'answer'] },
};
