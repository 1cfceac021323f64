import { topUp } from '@sangam/contract/endpoints/fund.ts';
import { cancelUserProduct, getUserProductList, setUserProduct } from '@sangam/contract/endpoints/terms.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { decide, getMine, getStarted } from '@sangam/contract/endpoints/todo.ts';
import { approve, openRequest } from './pages/approvals.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser, ownNumber } from './world/demo.ts';
import { callAs } from './world/session.ts';

test('money is moved by hand only after a second person has approved it', async ({ as, complaints }) => {
  complaints.expectOf(topUp.path);
  complaints.expectOf(decide.path);
  const sum = ownNumber(1_23_000).toLocaleString('en-IN');
  const asker = await as('admin');
  await asker.goto('/merchants/list?q=merchant2');
  await asker.getByText('Tamarind Learning').first().click();
  const drawer = asker.getByRole('dialog', { name: 'Tamarind Learning' });
  await drawer.getByRole('button', { name: 'Top-up…' }).click();
  const dialog = asker.getByRole('dialog', { name: 'Top-up · Tamarind Learning' });
  await dialog.getByLabel('Amount').fill('12.345');
  await dialog.getByLabel('Reason').fill('Transfer of the 20th, seen by the bank');
  await dialog.getByRole('button', { name: 'Send for approval' }).click();
  await expect(dialog).toContainText('An amount with at most 2 decimals');
  await dialog.getByLabel('Amount').fill(`${sum}.78`);
  await dialog.getByRole('button', { name: 'Send for approval' }).click();
  await new SecondPasswordDialog(asker).answer(demoUser('admin').payPassword);
  await expect(dialog).toBeHidden();
  await expect(new Shell(asker).notice(/approv/i)).toBeVisible();

  await asker.goto('/todo/started');
  const row = { name: new RegExp(`Top-up.*${sum}\\.78`) };
  await expect(asker.getByRole('row', row)).toContainText('Waiting');
  await asker.goto('/todo/mine');
  await expect(asker.getByText('Nothing waits for you')).toBeVisible();

  const decider = await as('superadmin');
  await openRequest(decider, row.name, 'Top-up');
  await approve(decider, 'Top-up', 'superadmin');
  await expect(decider.getByRole('row', row)).toBeHidden();

  await decider.goto('/fundRecord/fundRecordAdmin?k=merchant');
  await expect(decider.getByRole('row', { name: new RegExp(`Top-up.*\\+₹${sum}\\.78`) })).toHaveCount(1);
});

/** Sets a rate of 7% for Sona Jewels' first product, in force from tomorrow on; two people agree to it. */
async function scheduleRate(): Promise<void> {
  const owner = { ownerKind: 'merchant', ownerId: '10004' } as const;
  const { list } = await callAs('superadmin', getUserProductList, { ...owner, state: 'inForce' });
  const { productId, enabled, fixedFee, minAmount, maxAmount } = list.at(-1)!;
  const effectiveTime = formatTime(new Date(Date.now() + 86_400_000));
  const terms = { productId, enabled, fixedFee, minAmount, maxAmount, ratePpm: 70_000, effectiveTime };
  await callAs('admin', setUserProduct, { ...owner, ...terms });
  const waiting = await callAs('superadmin', getMine, { kind: 'rateChange', subjectId: owner.ownerId });
  await callAs('superadmin', decide, { id: waiting.list[0]!.id, approve: true });
}

test('a scheduled rate is taken back by one request, which says what goes and what stays', async ({
  as,
  complaints,
}) => {
  complaints.expectOf(cancelUserProduct.path);
  complaints.expectOf(decide.path);
  await scheduleRate();
  const about = { kind: 'rateChange', subjectId: '10004', status: 'pending' } as const;
  const asker = await as('superadmin');
  await asker.goto('/merchants/list?open=10004');
  const drawer = asker.getByRole('dialog', { name: 'Sona Jewels' });
  const withdraw = drawer.getByRole('button', { name: /^Withdraw \d/ });
  await withdraw.click();
  const dialog = asker.getByRole('dialog', { name: 'Withdraw', exact: true });
  await dialog.getByRole('button', { name: 'Withdraw' }).dblclick();
  await new SecondPasswordDialog(asker).answer(demoUser('superadmin').payPassword);
  await expect(dialog).toBeHidden();
  // Who has asked sees that it waits, and cannot ask again.
  await expect(drawer).toContainText('Withdrawal waits for a second person');
  await expect(withdraw).toBeHidden();
  expect((await callAs('superadmin', getStarted, about)).list).toHaveLength(1);

  const decider = await as('admin');
  const kind = 'Scheduled terms taken back';
  const request = await openRequest(decider, new RegExp(kind), kind);
  await expect(request).toContainText('The terms in force stay.');
  await expect(request.getByText('Taken back', { exact: true }).locator('..')).toContainText('Rate: 7%');
  await expect(request.getByText('Stays in force').locator('..')).not.toContainText('7%');
  await approve(decider, kind, 'admin');
  await asker.reload();
  await expect(drawer.getByRole('region', { name: /^Products/ })).toContainText('Enabled');
  await expect(drawer).not.toContainText('Scheduled');
});
