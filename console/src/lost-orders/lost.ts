import type { endpoints } from 'virtual:endpoints';
import type { InputOf, RowOf } from '../http/call-types.ts';

export type LostMoney = RowOf<typeof endpoints.lost.getLostMoney>;
export type LostOrder = RowOf<typeof endpoints.lost.getLostOrders>;
export type LostFilters = InputOf<typeof endpoints.lost.getLostPairs>;

/** The UTR that a join uses where nobody types one. */
export const utrOf = (money: LostMoney, order: LostOrder) => money.utr ?? order.payerUtr;

export const expected = (order: LostOrder) => order.payableAmount ?? order.amount;

/** Whether something speaks against a join by one click. A dialog then states it first. */
export const needsThought = (money: LostMoney, order: LostOrder) =>
  utrOf(money, order) === null ||
  (money.amount !== order.payableAmount && money.amount !== order.amount) ||
  (money.utr !== null && order.payerUtr !== null && money.utr !== order.payerUtr);
