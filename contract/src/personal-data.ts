import { ADMINS, type Role } from './roles.ts';

/** Roles that answer payers and payees, and send the money. */
const DESK: readonly Role[] = [...ADMINS, 'customerService'];

/**
 * Which roles see personal data whole, by its place; other roles see it masked (docs/domain.md#masking). A supplier sees the
 * payee of a payout whole while it has to pay it (server, payout/row.ts). Only the owner of an account sees its number and VPA
 * whole.
 */
export const SEES_WHOLE = {
  /** The payer's name on a collection. */
  payerName: DESK,
  /** Name, account number, VPA, address and phone of a payee. */
  payee: DESK,
  /** Screenshots of a payment. A picture cannot be masked, so other roles do not see it. */
  paymentPicture: [...DESK, 'supplier', 'merchant'],
  /** Slips of a payout. They show the account that paid it. A supplier that added slips sees only how many there are. */
  payoutSlip: DESK,
  /** Texts of banks, and the requests and answers of callbacks. */
  text: ['superAdmin'],
  /** The input, requests and answers of pay scripts. */
  scriptCall: ['superAdmin'],
  /** Rows, history and audit of any entity. */
  record: ['superAdmin'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

/** Roles that see orders masked and may reveal one value at a time, for a reason; merchants only of their own orders. */
export const REVEALERS: readonly Role[] = ['technicalMaintenance', 'merchant'];
/** How many values of orders and accounts a user may reveal in 24 hours, whatever its role. */
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

/** Lists whose rows have personal data, by the path of the call, with the fields. */
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
