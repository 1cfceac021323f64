import { importBankStatement } from '@sangam/contract/endpoints/bank-statement.ts';
import { getNameLists, importNameList } from '@sangam/contract/endpoints/name-list.ts';
import { SecondPasswordDialog } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demo, demoUser } from './world/demo.ts';
import { callAs } from './world/session.ts';

/** A file in memory, as the browser's file chooser gives it. */
const fileOf = (name: string, lines: readonly string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\n')),
});

test('a refused list of names says which row is wrong and why, in the reader’s language', async ({
  as,
  complaints,
}) => {
  complaints.expectOf(importNameList.path);
  const page = await as('superadmin');
  await page.goto('/systemManager/nameBlackList?part=entries');
  await page.getByRole('button', { name: 'Import a list' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import a list' });
  await dialog.getByLabel('Format').click();
  await page.locator('.ant-select-item-option', { hasText: 'OFAC' }).click();
  await dialog.getByLabel('Source').fill('OFAC');
  await dialog.getByLabel('Reason').fill('monthly');
  const whole = `1,"KUMAR, Rajesh","individual","SDGT"${',-0-'.repeat(8)}`;
  await dialog.locator('input[type=file]').setInputFiles(fileOf('sdn.csv', [whole, '2,"SHORT"']));
  await dialog.getByRole('button', { name: 'Import a list' }).click();
  await new SecondPasswordDialog(page).answer(demoUser('superadmin').payPassword);
  const refusal = dialog.getByRole('alert');
  await expect(refusal).toContainText('Row 2: The row has fewer than twelve columns');
  await expect(refusal).toContainText('No row was taken.');
  // What was typed is still there.
  await expect(dialog.getByLabel('Reason')).toHaveValue('monthly');
  expect((await callAs('superadmin', getNameLists, {})).list.map(({ source }) => source)).not.toContain(
    'OFAC',
  );
});

test('a refused bank statement names each wrong row', async ({ as, complaints }) => {
  complaints.expectOf(importBankStatement.path);
  const [account] = demo().monitors[0]!.accounts;
  const page = await as('admin');
  await page.goto(`/bankStatement/list?ac=${account!.resourceId}`);
  await page.getByRole('button', { name: 'Bank statements' }).click();
  const dialog = page.getByRole('dialog', { name: 'Bank statements' });
  const lines = [
    'Date,Narration,Debit,Credit,Balance',
    '01/11/2026,UPI,,abc,100.00',
    '02/11/2026,UPI,1.00,2.00,99.00',
  ];
  await dialog.locator('input[type=file]').setInputFiles(fileOf('statement.csv', lines));
  const refusal = dialog.getByRole('alert');
  await expect(refusal.getByRole('listitem')).toHaveText([/^Row 2: Amount cannot be read: abc/, /^Row 3: /]);
  await expect(refusal).toContainText('No row was taken.');
});
