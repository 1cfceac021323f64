import { readFile } from 'node:fs/promises';
import {
  confirmPayoutBatch,
  createPayoutBatch,
  uploadPayoutBatchResult,
} from '@sangam/contract/endpoints/payout-batch.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { approve, openRequest } from './pages/approvals.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser, ownNumber } from './world/demo.ts';
import { tomorrowNoon, uploadPayouts } from './world/payout-file.ts';

/** ICICI's report on the rows of an exported file: the first payout is paid, the others are rejected. */
function reportOf(file: string): string {
  const rows = file
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','));
  const lines = rows.map((cells, index) => {
    const [amount, reference] = [cells[6], cells[13]];
    const end = index === 0 ? 'Success,,ICICN52026112200000001' : 'Rejected,Account closed,';
    return `${reference},${amount},${end}`;
  });
  return ['Reference_no,Amount,STATUS,Rejection Reason,UTR NO', ...lines].join('\n');
}

test('a payout batch goes from the wizard to the bank’s result, which is confirmed row by row', async ({
  as,
  complaints,
}) => {
  // Amounts that nothing else in this world has.
  const least = ownNumber(21_000, 3);
  await uploadPayouts([least, least + 1, least + 2]);
  const page = await as('admin');
  const shell = new Shell(page);
  await page.goto('/payoutBatch/list');
  await expect(shell.heading).toHaveText('Batch payout');

  await page.getByRole('button', { name: 'New batch' }).click();
  const wizard = page.getByRole('dialog', { name: 'New batch' });
  await wizard.getByLabel('Payout account').click();
  await page.getByTitle(/ICICI \*{4} \d{4}/).click();
  await wizard.getByLabel('Template').click();
  await page.getByTitle('ICICI CIB').click();
  await wizard.getByLabel('Min amount').fill(`${least}`);
  await wizard.getByLabel('Max amount').fill(`${least + 2}`);
  await expect(wizard.getByRole('status')).toContainText('3 waiting payouts fit');
  await wizard.getByLabel('Payout time').fill(tomorrowNoon());
  await wizard.getByLabel('Payout time').press('Enter');
  await wizard.getByRole('button', { name: 'Preview' }).click();
  await expect(wizard.getByText('NEFT × 3')).toBeVisible();
  // The server asks for the second-level password by a refusal.
  complaints.expectOf(createPayoutBatch.path);
  await wizard.getByRole('button', { name: 'Create batch of 3' }).click();
  await new SecondPasswordDialog(page).answer(demoUser('admin').payPassword);

  const batch = page.getByRole('dialog', { name: /^Batch \d+$/ });
  await expect(batch.getByText('Prepared')).toBeVisible();
  const downloading = page.waitForEvent('download');
  await batch.getByRole('button', { name: 'Export file' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file.split('\r\n')).toHaveLength(5);
  await batch.getByRole('button', { name: 'Mark as sent' }).click();
  await expect(batch.getByRole('button', { name: 'Upload result' })).toBeVisible();

  // A report without one of the rows is refused as a whole, with the reason.
  complaints.expectOf(uploadPayoutBatchResult.path);
  const report = reportOf(file);
  const upload = (name: string, text: string) =>
    batch
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await upload('report.csv', report.split('\n').slice(0, 3).join('\n'));
  await expect(batch.getByRole('alert')).toContainText('The number of rows differs: 2 ≠ 3');
  await upload('report.csv', report);
  await expect(batch.getByText('Account closed')).toHaveCount(2);

  // The file is a claim of the person who uploaded it. Above the sum of a day, another person approves or confirms it.
  complaints.expectOf(decide.path);
  complaints.expectOf(confirmPayoutBatch.path);
  await batch.getByRole('checkbox').nth(1).check();
  await batch.getByRole('button', { name: 'Confirm chosen (1)' }).click();
  // The dialog says what will be posted before it is posted.
  const posting = page.getByRole('dialog', { name: 'Confirm 1 payout' });
  await expect(posting).toContainText(/1 · ₹2\d,\d{3}/);
  await posting.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(page.getByText(/Submitted for approval/)).toBeVisible();
  const second = await as('superadmin');
  await second.goto('/payoutBatch/list');
  await expect(second.getByRole('link', { name: /^Bank’s result file \d+$/ }).first()).toBeVisible();
  await openRequest(second, /Bank’s result file/, 'Bank’s result file');
  await approve(second, 'Bank’s result file', 'superadmin');
  await second.goto('/payoutBatch/list');
  await second.getByRole('row', { name: /₹/ }).first().click();
  await second
    .getByRole('dialog', { name: /^Batch \d+$/ })
    .getByRole('button', { name: 'Confirm all 2' })
    .click();
  await second
    .getByRole('dialog', { name: 'Confirm 2 payouts' })
    .getByRole('button', { name: 'Confirm', exact: true })
    .click();
  await new SecondPasswordDialog(second).answer(demoUser('superadmin').payPassword);
  await expect(new Shell(second).notice('2 processed')).toBeVisible();

  // Failed payouts are retried or refunded.
  await batch.getByText(/^Exceptions 2$/).click();
  await batch.getByRole('checkbox').first().check();
  await batch.getByRole('button', { name: 'Reject and refund' }).click();
  const decision = page.getByRole('dialog', { name: 'Reject and refund' });
  await decision.getByLabel('Reason').fill('The payee closed the account');
  await decision.getByRole('button', { name: 'Reject and refund' }).click();
  await expect(batch.getByText(/^Exceptions 0$/)).toBeVisible();
  await batch.getByText(/^All 3$/).click();
  await expect(batch.getByText(/^ICICN520261/)).toBeVisible();
});
