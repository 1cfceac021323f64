import { readFile } from 'node:fs/promises';
import { getFundRecordList } from '@sangam/contract/endpoints/party.ts';
import { exportList } from '@sangam/contract/endpoints/list.ts';
import { OrderList } from './pages/order-list.ts';
import { Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import type { OutputOf } from './world/call-types.ts';
import { ownNumber } from './world/demo.ts';
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

test('an export has every row the filters match, and no other', async ({ as }) => {
  // The ledger has thousands of entries: many pages of it.
  const page = await as('admin');
  const start = '2020-01-01 00:00:00';
  const wanted: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer: OutputOf<typeof getFundRecordList> = await callAs('admin', getFundRecordList, {
      startTime: start,
      bucket: 'available',
      pageSize: 500,
      cursor,
    });
    wanted.push(...answer.list.map((entry) => `${entry.orderCode ?? ''} ${entry.balanceAfter}`));
    cursor = answer.nextCursor;
  }
  await page.goto(
    `/fundRecord/fundRecordAdmin?b=available&t=${encodeURIComponent(`${start}~2099-01-01 00:00:00`)}`,
  );
  await expect(new Shell(page).heading).toHaveText('Fund record');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await (await download).path();
  await expect(page.getByText('Exported: Fund record')).toBeVisible();
  const [, ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(wanted.length);
  // Columns as shown: time, posting, order code, owner, balance, change, balance after, ...
  const found = lines.map((line) => line.split(','));
  expect(found.map(([, , code, , , , after]) => `${code} ${Math.round(Number(after) * 100)}`)).toEqual(
    wanted,
  );
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
