import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { folderOf, seedOrders } from './list/seed-orders.ts';

/*
 * Fills a data folder with orders for `npm run bench -- list`. That bench also seeds missing orders by itself.
 *
 *   npm run bench:seed -- --orders 10000000 [--data-dir FOLDER]
 */
const { values } = parseArgs({ options: { orders: { type: 'string' }, 'data-dir': { type: 'string' } } });
const orders = Number(values.orders ?? 10_000_000);
if (!Number.isSafeInteger(orders) || orders < 1000) throw new Error('--orders: 1000 or more');
await seedOrders(resolve(values['data-dir'] ?? folderOf(orders)), orders);
