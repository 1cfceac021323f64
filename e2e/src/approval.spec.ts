import { topUp } from '@sangam/contract/endpoints/fund.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { approve, openRequest } from './pages/approvals.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser, ownNumber } from './world/demo.ts';

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
