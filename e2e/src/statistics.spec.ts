import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { whatIf } from '@sangam/contract/endpoints/what-if.ts';
import { OrderList } from './pages/order-list.ts';
import { expect, test } from './test.ts';
import { createOrderAs } from './world/merchant.ts';

const plain = (text: string) => text.replaceAll(',', '');

/** Follows the link of a number of created orders, and expects the list to have as many. */
async function leadsToItsOrders(page: Page, link: Locator): Promise<void> {
  const count = plain((await link.textContent())!);
  await link.click();
  await new OrderList(page).heading.waitFor();
  await expect(page).toHaveURL(/\/order\/list\?.*ct=created/);
  await expect(
    page.getByText(new RegExp(`of ${Number(count).toLocaleString('en-US')}$`)).first(),
  ).toBeVisible();
}

test('a number of a tile on home leads to the list of its orders', async ({ as }) => {
  await createOrderAs();
  const page = await as('admin');
  await page.goto('/home');
  const link = page.getByRole('link', { name: /^Orders created, Today: / }).first();
  await leadsToItsOrders(page, link);
});

test('an hour of the chart on home leads to its orders, from the table of hours', async ({ as }) => {
  await createOrderAs();
  const page = await as('admin');
  await page.goto('/home');
  const inr = page.getByRole('region', { name: 'INR', exact: true });
  await inr.getByText('Hours as a table').click();
  // Other tests make orders of this hour meanwhile.
  const link = inr.getByRole('link', { name: /^Orders created, Today \d+:00: / }).first();
  await leadsToItsOrders(page, link);
});

test("a merchant's name leads to its products of the same period, and the CSV has plain numbers", async ({
  as,
}) => {
  await createOrderAs();
  const page = await as('admin');
  await page.goto('/order/statisticsByMerhcantV2?t=week');
  const table = page.getByRole('table', { name: 'INR statistics' });
  await table.getByRole('rowheader').getByRole('link').first().click();
  await expect(page).toHaveURL(/t=week.*m=\d+.*g=product/);
  await expect(table.getByRole('columnheader', { name: 'Product' })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('region', { name: 'INR', exact: true }).getByRole('button', { name: 'CSV' }).click();
  const [, total] = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
  for (const cell of total!.split(',').slice(1)) expect(cell).toMatch(/^"(-?\d+(\.\d+)?)?"$/);
});

test('a what-if sends each account with what is different of it', async ({ as }) => {
  const page = await as('admin');
  await page.goto('/orderAnalysis/what-if');
  const choose = async (place: number) => {
    await page.getByRole('button', { name: 'Add an account' }).click();
    await page
      .getByRole('combobox', { name: /^Account: / })
      .last()
      .click();
    const option = page.locator('.ant-select-dropdown:visible .ant-select-item-option').nth(place);
    const name = await option.textContent();
    await option.click();
    return name!;
  };
  const first = await choose(0);
  await page.getByLabel(`${first}: Weight`).fill('7');
  await page.getByLabel(`${first}: Orders/day`).fill('1,500');
  await page.getByLabel(`${first}: Amount/day`).fill('2,50,000.50');
  await choose(1);
  await page.getByRole('checkbox', { name: 'Closed' }).last().check();
  // A row without an account is refused here.
  await page.getByRole('button', { name: 'Add an account' }).click();
  await page.getByLabel('no account: Weight').fill('3');
  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByRole('alert')).toContainText('Choose an account in each row');
  await page.getByRole('button', { name: 'Remove no account' }).click();
  const sent = page.waitForRequest(`**${whatIf.path}`);
  await page.getByRole('button', { name: 'Replay' }).click();
  expect((await sent).postDataJSON()).toMatchObject({
    accounts: [{ weight: 7, dailyCountLimit: 1_500, dailyAmountLimit: 250_000_50 }, { closed: true }],
  });
  await expect(page.getByText('The replay as it was gave')).toBeVisible();
});
