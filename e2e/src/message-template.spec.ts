import { saveMessageTemplate } from '@sangam/contract/endpoints/message-template.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { approve } from './pages/approvals.ts';
import { SecondPasswordDialog } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demo, demoUser } from './world/demo.ts';
import { newReference, phoneReports } from './world/monitor.ts';

test('a template made from an unparsed message waits in its list, and parses messages once a second person agrees', async ({
  as,
  complaints,
}) => {
  // The server asks for the second-level password by a refusal.
  complaints.expectOf(saveMessageTemplate.path);
  complaints.expectOf(decide.path);
  const { accountTail } = demo().monitors[0]!.accounts[0]!;
  const odd = (amount: string, reference: string) =>
    `Namaste! Rs ${amount} jama hua khata a/c XX${accountTail} me. UPI Ref ${reference}`;
  // A sender that no template knows; another one for each retry.
  const bank = ['JAMABK', 'JAMACK', 'JAMADK'][test.info().retry]!;
  const sender = `AX-${bank}-S`;
  const reference = newReference();
  expect(await phoneReports(sender, odd('1,250.00', reference))).toBe('unparsed');

  const page = await as('superadmin');
  await page.goto('/bankStatement/list-sa');
  await page.getByText(reference).click();
  await page.getByRole('button', { name: 'Make a template' }).click();
  const editor = page.getByRole('dialog', { name: new RegExp(`own-${bank}`, 'i') });
  await expect(editor.getByLabel('Samples')).toHaveValue(new RegExp(`1250\\.00 .* ${reference}`));
  await editor.getByLabel('Reads as').click();
  await page.getByTitle('Credit', { exact: true }).last().click();
  await editor.getByRole('button', { name: 'Save' }).click();
  await new SecondPasswordDialog(page).answer(demoUser('superadmin').payPassword);
  await expect(editor).toBeHidden();
  const template = `own-${bank.toLowerCase()}-debit`;
  await page.goto('/messageTemplate?o=own');
  const waits = page.getByRole('status').filter({ hasText: 'Waits for a second person' });
  await waits.getByRole('link', { name: template }).click();
  const kind = 'Reading of bank messages';
  await expect(page.getByRole('dialog', { name: kind })).toContainText('Withdraw');
  expect(await phoneReports(sender, odd('76', newReference()))).toBe('unparsed');

  const second = await as('admin');
  await second.goto('/todo/mine');
  await second.getByRole('row', { name: new RegExp(template) }).click();
  const request = second.getByRole('dialog', { name: kind });
  await expect(request).toContainText(bank);
  await expect(request).toContainText('jama hua khata');
  await approve(second, kind, 'admin');
  await page.goto('/messageTemplate?o=own');
  await expect(page.getByRole('row', { name: new RegExp(template) })).toBeVisible();
  await expect(waits).toBeHidden();

  expect(await phoneReports(sender, odd('77', newReference()))).toBe('unmatched');
});

test('starting a template from a message does not change the filters of either list', async ({ as }) => {
  const reference = newReference();
  const sender = `AX-${['JEMABK', 'JEMACK', 'JEMADK'][test.info().retry]!}-S`;
  expect(await phoneReports(sender, `Namaste! Rs 310.00 jama hua khata. UPI Ref ${reference}`)).toBe(
    'unparsed',
  );

  const page = await as('superadmin');
  await page.goto('/messageTemplate?o=own');
  await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible();
  await page.goto('/bankStatement/list-sa?s=unparsed');
  await page.getByText(reference).click();
  await page.getByRole('button', { name: 'Make a template' }).click();
  const editor = page.getByRole('dialog', { name: /own-/ });
  await expect(editor).toBeVisible();
  await expect(page).toHaveURL(/\/messageTemplate\?o=own&message=\d+$/);
  await editor.getByRole('button', { name: 'Cancel' }).click();
  await expect(editor).toBeHidden();
  await expect(page).toHaveURL(/\/messageTemplate\?o=own$/);
  await page.getByRole('tab', { name: 'Bank SMS records' }).click();
  await expect(page).toHaveURL(/\/bankStatement\/list-sa\?s=unparsed(&|$)/);
});
