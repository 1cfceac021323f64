import { expect, it } from 'vitest';
import { orderPath, placeAt } from './place.ts';

it('an order stands under each list of orders, and nowhere else', () => {
  expect(placeAt('/order/list')).toMatchObject({ screen: { path: '/order/list' } });
  for (const list of ['/order/list', '/order/list/supplierProxy', '/payProxyOrder/list/merchant'])
    expect(placeAt(orderPath(list, '912121'))).toMatchObject({ screen: { path: list }, orderCode: '912121' });
  for (const path of ['/merchants/list/912121', '/order/list/x1', '/order/list/912121/1', '/nothing/1'])
    expect(placeAt(path)).toBeUndefined();
});
