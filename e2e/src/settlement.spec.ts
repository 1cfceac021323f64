import { setFrozen, updateLimits } from '@sangam/contract/endpoints/merchant.ts';
import { setSettlementTerm, startSettlementRun } from '@sangam/contract/endpoints/settlement.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { approve, openRequest } from './pages/approvals.ts';
import { OrderList } from './pages/order-list.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser } from './world/demo.ts';
import { createOrderAs } from './world/merchant.ts';
import { bankReports } from './world/monitor.ts';

test('a run settles a merchant early as its preview showed, and the balance can be explained', async ({
  as,
  complaints,
  merchantEndpoint,
}) => {
  for (const { path } of [setSettlementTerm, startSettlementRun, updateLimits, decide])
    complaints.expectOf(path);
  const due = `2099-01-0${1 + test.info().retry}`;
  const page = await as('admin');
  const secondPassword = () => new SecondPasswordDialog(page).answer(demoUser('admin').payPassword);
  await page.goto('/merchants/list?q=merchant2');
  await page.locator('tbody tr[data-row]').first().click();
  await page.getByRole('button', { name: 'Settlement term' }).click();
  const term = page.getByRole('dialog', { name: /^Settlement term/ });
  await term.getByLabel('Days until').fill('2');
  await term.getByLabel('Reason').fill('contract of the 3rd');
  await term.getByRole('button', { name: 'Save' }).click();
  await secondPassword();
  await expect(term).toBeHidden();

  // A wrong address is refused in its field, and nothing changes.
  await page.getByRole('button', { name: 'API limits' }).click();
  const limits = page.getByRole('dialog', { name: /^API limits/ });
  await limits.getByLabel('Payouts may come from').fill('203.0.113.7\n203.0.113.300');
  await limits.getByRole('button', { name: 'Save' }).click();
  await expect(limits).toContainText('Invalid input');
  await limits.getByRole('button', { name: 'Cancel' }).click();

  // Nila Travels has a settlement term in the demo. What is pending there depends on the day, so the test makes an order.
  for (const merchant of ['merchant2', 'merchant3'] as const) {
    const { payParams } = await createOrderAs({
      amount: 1_000_00,
      merchant,
      notifyUrl: merchantEndpoint.url,
    });
    await bankReports(payParams);
  }
  await page.goto('/fundRecord/settlement');
  await page.getByRole('button', { name: 'Start a run…' }).click();
  const start = page.getByRole('dialog', { name: 'Start a run…' });
  await expect(start).toContainText('Balances to settle: 0');
  await start.getByLabel('Due through').fill(due);
  await page.keyboard.press('Enter');
  await expect(start).toContainText('Nila Travels');
  await start.getByLabel('Merchant').fill('Tamarind');
  await page.locator('.ant-select-item-option', { hasText: 'Tamarind Learning' }).click();
  await expect(start).toContainText('Balances to settle: 1');
  await start.getByLabel('Reason').fill('asked by phone');
  await start.getByRole('button', { name: 'Start the run' }).click();
  await secondPassword();
  await expect(start).toBeHidden();
  // Paying money out before its day needs a second person.
  const decider = await as('superadmin');
  const request = await openRequest(decider, 'asked by phone', 'Early settlement');
  // The run moves the money only later, but who approves it sees how much.
  await expect(request.getByRole('region', { name: 'If you approve now' }).getByRole('row')).toHaveText([
    /Balances/,
    /INR.*1.*₹/,
  ]);
  await approve(decider, 'Early settlement', 'superadmin');
  await page.goto('/fundRecord/settlement');
  const run = page.getByRole('row', { name: due });
  await expect(run).toContainText('Finished · 1 / 1', { timeout: 60_000 });
  await run.click();
  const moved = page.getByRole('dialog', { name: `Settlement through ${due}` });
  await expect(moved.getByRole('region', { name: 'Balances settled' }).getByRole('row')).toHaveCount(2);

  await page.goto('/merchants/list?q=merchant2');
  await page.locator('tbody tr[data-row]').first().click();
  await page.getByRole('button', { name: 'Why is Available INR so?' }).click();
  const why = page.getByRole('dialog', { name: /^How this balance arose/ });
  await expect(why.getByRole('region', { name: 'What changed it' })).toContainText('Settlement');
});

test('an order is frozen and unfrozen from its list', async ({ as, complaints }) => {
  complaints.expectOf(setFrozen.path);
  const { orderCode } = await createOrderAs();
  const page = await as('admin');
  const list = new OrderList(page);
  await list.open(`/order/list?o=${orderCode}`);
  for (const [action, shown] of [
    ['Freeze', true],
    ['Unfreeze', false],
  ] as const) {
    await list.act(orderCode, action);
    const dialog = page.getByRole('dialog', { name: `${action} · ${orderCode}` });
    await dialog.getByLabel('Reason').fill('The police asks');
    await dialog.getByRole('button', { name: action, exact: true }).click();
    if (shown) await new SecondPasswordDialog(page).answer(demoUser('admin').payPassword);
    await expect(new Shell(page).notice(orderCode).first()).toBeVisible();
    await expect(list.row(orderCode).getByText('Frozen')).toHaveCount(shown ? 1 : 0);
  }
});
