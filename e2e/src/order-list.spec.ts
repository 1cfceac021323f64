import { formatMinor } from '@sangam/contract/money.ts';
import { OrderDrawer, OrderList } from './pages/order-list.ts';
import { expect, test } from './test.ts';
import { createOrderAs } from './world/merchant.ts';
import { bankReports, newReference } from './world/monitor.ts';

test('a new order appears in the list by itself; after payment its drawer shows all its parts', async ({
  as,
  merchantEndpoint,
}) => {
  const page = await as('admin');
  const list = new OrderList(page);
  await list.open();
  await expect(list.rows.first()).toBeVisible();

  const { orderCode, payParams, mchOrderNo } = await createOrderAs({ notifyUrl: merchantEndpoint.url });
  await expect(list.row(orderCode)).toContainText('Allocated');
  const reference = newReference();
  const message = await bankReports(payParams, { reference });
  await expect(list.row(orderCode)).toContainText('Callback succeeded');
  await expect(list.row(orderCode)).toContainText(formatMinor(payParams.payableAmount, 'INR'));

  await list.row(orderCode).getByText('Callback succeeded').click();
  await expect(page).toHaveURL(`/order/list?open=${orderCode}`);
  const drawer = new OrderDrawer(page, orderCode);
  await expect(drawer.section('Facts')).toContainText(mchOrderNo);
  await expect(drawer.section('Facts')).toContainText(reference);
  await expect(drawer.section('Timeline').getByRole('listitem').getByRole('strong')).toHaveText([
    'Created',
    'Account allocated',
    'Payment recognised',
    'Callback succeeded',
  ]);
  // Only a superAdmin sees the payer's address in the bank's message.
  await expect(drawer.section('Matched messages')).toContainText(message.replace('ananya.rao@', 'a***@'));
  await expect(drawer.section('Matched messages')).toContainText('Matched');

  const callbacks = drawer.section('Callbacks');
  await expect(callbacks).toContainText('Acknowledged');
  await callbacks.getByText('HTTP 200').click();
  await expect(callbacks).toContainText(`POST ${merchantEndpoint.url}`);
  await expect(callbacks).toContainText(merchantEndpoint.received[0]!);
  await expect(callbacks.getByText('success', { exact: true })).toBeVisible();

  const entries = drawer.section('Ledger entries');
  await expect(entries).toContainText('Chowk Bazaar');
  await expect(entries).toContainText('Deposit');
  await expect(entries).toContainText('Revenue');

  const allocation = drawer.section('Allocation explained');
  await allocation.getByRole('button', { name: 'Explain' }).click();
  await expect(allocation.getByRole('row').filter({ hasText: 'Chosen' })).toHaveCount(1);

  await expect(drawer.drawer.getByRole('group', { name: 'Reply to the customer' })).toContainText(
    `Order ${mchOrderNo}: your payment of ₹${formatMinor(payParams.payableAmount, 'INR')} was received`,
  );

  await drawer.close();
  await expect(drawer.drawer).toBeHidden();
  await expect(page).toHaveURL('/order/list');
});

test('an order that is made while the socket is away appears once it is back', async ({ as }) => {
  const page = await as('admin');
  let connect = () => {};
  const made = new Promise<void>((resolve) => {
    connect = resolve;
  });
  await page.routeWebSocket('**', async (socket) => {
    await made;
    socket.connectToServer();
  });
  const list = new OrderList(page);
  await list.open();
  await expect(list.rows.first()).toBeVisible();
  const { orderCode } = await createOrderAs();
  connect();
  // Sooner than the next poll of a list whose changes are reported.
  await expect(list.row(orderCode)).toBeVisible({ timeout: 15_000 });
});

test('a link with ?open=CODE opens the drawer', async ({ as }) => {
  const { orderCode, mchOrderNo } = await createOrderAs();
  const page = await as('admin');
  await page.goto(`/order/list?open=${orderCode}`);
  const drawer = new OrderDrawer(page, orderCode);
  await expect(drawer.section('Facts')).toContainText(mchOrderNo);
  await page.keyboard.press('Escape');
  await expect(drawer.drawer).toBeHidden();
});

test('rows are prefetched with the same request that the list makes', async ({ as }) => {
  const page = await as('admin');
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/v1.0/order/getList') asked.push(url.search);
  });
  const first = page.waitForRequest('**/v1.0/order/getList?*');
  await page.route('**/assets/list-*.js', async (route) => {
    await first;
    await route.continue();
  });
  const list = new OrderList(page);
  await list.open();
  await expect(list.rows.first()).toBeVisible();
  const before = asked.length;
  await page.getByRole('button', { name: 'Reload', exact: true }).click();
  await expect.poll(() => asked.length).toBeGreaterThan(before);
  expect([...new Set(asked)]).toHaveLength(1);
});

test('the sums of a list are asked for once its rows are here', async ({ as }) => {
  const page = await as('admin');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/v1.0/order/getStatusSummary') asked.push(request.url());
  });
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/v1.0/order/getList?*', async (route) => {
    await released;
    await route.continue();
  });
  const list = new OrderList(page);
  await list.open();
  await expect(list.statusCard('Timed out')).toContainText('–');
  expect(asked).toEqual([]);
  release();
  await expect(list.statusCard('Timed out')).toContainText(/Timed out\s*[1-9]/);
  expect(asked.length).toBeGreaterThan(0);
});

test('filters are in the address and survive a reload', async ({ as }) => {
  const { orderCode, mchOrderNo } = await createOrderAs();
  const page = await as('admin');
  const list = new OrderList(page);
  await list.open();
  await list.filterByText('Merchant order no.', mchOrderNo);
  await expect(page).toHaveURL(`/order/list?mo=${mchOrderNo}`);
  await expect(list.rows).toHaveCount(1);
  await expect(list.row(orderCode)).toBeVisible();
  await page.reload();
  await expect(list.rows).toHaveCount(1);
  await expect(list.row(orderCode)).toBeVisible();

  await list.filterByText('Merchant order no.', 'NOSUCHORDER');
  await expect(page.getByText('Nothing matches these filters')).toBeVisible();
  await list.clearFilters.first().click();
  await expect(page).toHaveURL('/order/list');
  await expect(list.rows.nth(1)).toBeVisible();
});

test('a status card counts its orders and filters by them', async ({ as }) => {
  const page = await as('admin');
  const list = new OrderList(page);
  await list.open();
  const card = list.statusCard('Timed out');
  await expect(card).toContainText(/Timed out\s*[1-9]/);
  await card.click();
  await expect(page).toHaveURL('/order/list?s=2');
  await expect(card).toHaveAttribute('aria-pressed', 'true');
  await expect(list.rows.first()).toContainText('Timed out');
  const shown = await list.rows.count();
  await expect(list.rows.filter({ hasText: 'Timed out' })).toHaveCount(shown);
  await card.click();
  await expect(page).toHaveURL('/order/list');
});

test('an order that no longer matches the filter after an action leaves the list at once, wherever the pointer is', async ({
  as,
}) => {
  const { orderCode } = await createOrderAs();
  const page = await as('admin');
  const list = new OrderList(page);
  await list.open('/order/list?s=1');
  await expect(list.row(orderCode)).toContainText('Allocated');
  await list.act(orderCode, 'Release account');
  const dialog = page.getByRole('dialog');
  // The pointer stays over the rows, so the list keeps its rows in place.
  await dialog.getByRole('button', { name: 'Release account' }).press('Enter');
  await list.rows.first().hover();
  await expect(list.row(orderCode)).toHaveCount(0, { timeout: 4_000 });
});

test('an open drawer steps from row to row, a column keeps its width and place, and sums are shown below', async ({
  as,
}) => {
  const newer = [];
  for (let n = 0; n < 2; n += 1) newer.unshift(await createOrderAs());
  const page = await as('service');
  const list = new OrderList(page);
  await list.open(`/order/list/customerService?open=${newer[0]!.orderCode}`);
  await expect(new OrderDrawer(page, newer[0]!.orderCode).drawer).toBeVisible();
  // The drawer opens from the address, perhaps before the list has rows to step through.
  await expect(page.getByTitle(newer[1]!.orderCode, { exact: true })).toBeVisible();
  await page.keyboard.press('j');
  const second = new OrderDrawer(page, newer[1]!.orderCode);
  await expect(second.drawer).toBeVisible();
  await second.drawer.getByRole('button', { name: 'Previous (K)' }).click();
  await expect(new OrderDrawer(page, newer[0]!.orderCode).drawer).toBeVisible();
  await page.keyboard.press('Escape');

  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText(/in all\s*₹/);
  for (const { orderCode } of newer) await list.row(orderCode).getByRole('checkbox').check();
  await expect(page.getByRole('group', { name: 'Picked rows' })).toContainText(/2 picked\s*₹/);

  const head = page.getByRole('columnheader', { name: 'Status', exact: true }).first();
  const before = (await head.boundingBox())!;
  await page.mouse.move(before.x + before.width - 3, before.y + 10);
  await page.mouse.down();
  await page.mouse.move(before.x + before.width - 63, before.y + 10, { steps: 3 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('button', { name: 'Keep Status in sight' }).click();
  const kept = page.waitForResponse('**/v1.0/listView/choose');
  await kept;
  await page.reload();
  await expect(list.rows.first()).toBeVisible();
  await expect.poll(async () => (await head.boundingBox())!.width).toBeLessThan(before.width - 40);
  await expect(head).toHaveClass(/ant-table-cell-fix/);
});
