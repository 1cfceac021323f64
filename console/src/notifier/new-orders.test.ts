import { expect, it } from 'vitest';
import { reduceNewOrders, unseenOrder, type NewOrders } from './new-orders.ts';

const NOTHING: NewOrders = { latest: undefined, seen: undefined };
const hear = (state: NewOrders, orderCode: string | null) =>
  reduceNewOrders(state, { type: 'heard', orderCode });

it('does not ring for orders from before sign-in, and rings for a new one until it is seen', () => {
  const start = hear(NOTHING, '900');
  expect(unseenOrder(start)).toBeUndefined();
  const later = hear(hear(start, '1000'), '950');
  expect(unseenOrder(later)).toBe('1000');
  expect(unseenOrder(reduceNewOrders(later, { type: 'seen', orderCode: '1000' }))).toBeUndefined();
});

it('rings for the very first order', () => {
  expect(unseenOrder(hear(hear(NOTHING, null), '5'))).toBe('5');
});

it('rings after a reload for an order that was not seen before it', () => {
  expect(unseenOrder(hear({ latest: undefined, seen: '5' }, '7'))).toBe('7');
});
