import { readFile } from 'node:fs/promises';
import { exportList } from '@sangam/contract/endpoints/list.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { OrderList } from './pages/order-list.ts';
import { expect, test } from './test.ts';
import { writeTimedOut } from './world/many-orders.ts';

/** 100,000 rows take a minute and a half. */
const COUNT = process.env['EVERYTHING'] === '1' ? 100_000 : 10_000;

test(`an export of ${COUNT} orders has every row the filters match, and no other`, async ({ as }) => {
  const first = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 50 * 86_400_000);
  const wanted = await writeTimedOut(COUNT, first);
  expect(wanted.length).toBeGreaterThanOrEqual(COUNT);
  // The range includes its last second.
  const [startTime, endTime] = [first, new Date(first.getTime() + COUNT - 1_000)].map(formatTime);
  const page = await as('admin');
  const list = new OrderList(page);
  await list.open(`/order/list?s=2&t=${encodeURIComponent(`${startTime}~${endTime}`)}`);
  const download = page.waitForEvent('download', { timeout: 120_000 });
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await (await download).path();
  await expect(page.getByText('Exported: Collection orders')).toBeVisible();
  const [head, ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
  const names = head!.replace(/^\uFEFF/, '').split(',');
  const [code, amount] = [names.indexOf('Order code'), names.indexOf('Amount')];
  const found = lines.map((line) => {
    const cells = line.split(',');
    return `${cells[code]!.replace(/[="]/g, '')} ${Math.round(Number(cells[amount]) * 100)}`;
  });
  expect(found).toHaveLength(wanted.length);
  // A textual comparison of two lists of this length would take minutes.
  const different = found.findIndex((row, index) => row !== wanted[index]);
  expect([found[different], wanted[different]]).toEqual([undefined, undefined]);
});

test('an export that is cancelled leaves no file', async ({ as, complaints }) => {
  complaints.expectOf(exportList.path);
  const page = await as('admin');
  await page.route(`**${exportList.path}?*`, async () => undefined);
  await new OrderList(page).open();
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page.getByText('Export cancelled: Collection orders')).toBeVisible();
});
