import { readFile } from 'node:fs/promises';
import { exportList } from '@sangam/contract/endpoints/list.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { OrderList } from './pages/order-list.ts';
import { expect, test } from './test.ts';
import { ownNumber } from './world/demo.ts';
import { writeTimedOut } from './world/many-orders.ts';

test('a saved view is shared with a role, and seen and used by another user', async ({ as }) => {
  const view = `Late and ordinary ${ownNumber(1)}`;
  const page = await as('admin');
  const list = new OrderList(page);
  await list.open('/order/list?s=2&mk=0');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Save as view…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as view…' });
  await dialog.getByLabel('Name').fill(view);
  await dialog.getByLabel('Share with roles').click();
  await page.getByTitle('Customer service').click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: view })).toBeVisible();

  const other = await as('service');
  const theirs = new OrderList(other);
  await theirs.open('/order/list/customerService');
  await other.getByRole('button', { name: 'Views' }).click();
  await other.getByRole('button', { name: new RegExp(`^${view}`) }).click();
  await expect(other).toHaveURL('/order/list/customerService?s=2&mk=0');
  await expect(theirs.rows.first()).toContainText('Timed out');
});

test('an export of 100,000 orders has every row the filters match, and no other', async ({ as }) => {
  const count = 100_000;
  const first = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 50 * 86_400_000);
  const wanted = await writeTimedOut(count, first);
  expect(wanted.length).toBeGreaterThanOrEqual(count);
  // The last second of a range is in it.
  const [startTime, endTime] = [first, new Date(first.getTime() + count - 1_000)].map(formatTime);
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
  // Two lists of this length would take minutes to compare in words.
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
