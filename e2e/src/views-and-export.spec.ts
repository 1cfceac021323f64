import { readFile } from 'node:fs/promises';
import { exportList } from '@sangam/contract/endpoints/list.ts';
import { getList } from '@sangam/contract/endpoints/order.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { OrderList } from './pages/order-list.ts';
import { expect, test } from './test.ts';
import type { OutputOf } from './world/call-types.ts';
import { ownNumber } from './world/demo.ts';
import { writeTimedOut } from './world/many-orders.ts';
import { callAs } from './world/session.ts';

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
  const first = new Date(Date.now() - 50 * 86_400_000);
  await writeTimedOut(count, first);
  const [startTime, endTime] = [first, new Date(first.getTime() + count + 1_000)].map(formatTime);
  const wanted: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer: OutputOf<typeof getList> = await callAs('admin', getList, {
      startTime,
      endTime,
      orderStatusId: '2',
      pageSize: 500,
      cursor,
    });
    wanted.push(...answer.list.map(({ orderCode, amount }) => `${orderCode} ${amount}`));
    cursor = answer.nextCursor;
  }
  expect(wanted.length).toBeGreaterThanOrEqual(count);

  const page = await as('admin');
  const list = new OrderList(page);
  await list.open(`/order/list?s=2&t=${encodeURIComponent(`${startTime}~${endTime}`)}`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await (await download).path();
  await expect(page.getByText('Exported: Collection orders')).toBeVisible();
  const [head, ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
  const names = head!.split(',');
  const [code, amount] = ['Order code', 'Amount'].map((name) => names.indexOf(name));
  const found = lines.map((line) => line.split(','));
  expect(found.map((cells) => `${cells[code!]} ${Math.round(Number(cells[amount!]) * 100)}`)).toEqual(wanted);
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
