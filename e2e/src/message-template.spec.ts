import { saveMessageTemplate } from '@sangam/contract/endpoints/message-template.ts';
import { SecondPasswordDialog } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demo, demoUser } from './world/demo.ts';
import { newReference, phoneReports } from './world/monitor.ts';

test('a template is made from a message nothing could read, and reads the next one at once', async ({
  as,
  complaints,
}) => {
  // The server asks for the second-level password by a refusal.
  complaints.expectOf(saveMessageTemplate.path);
  const { accountTail } = demo().monitors[0]!.accounts[0]!;
  const odd = (amount: string, reference: string) =>
    `Namaste! Rs ${amount} jama hua khata a/c XX${accountTail} me. UPI Ref ${reference}`;
  // A sender no template knows, also when this is tried again.
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
  await page.goto('/messageTemplate?o=own');
  await expect(page.getByText(`own-${bank.toLowerCase()}-debit`)).toBeVisible();

  expect(await phoneReports(sender, odd('77', newReference()))).toBe('unmatched');
});

test('a template begun from a message leaves the filters of both lists as they were', async ({ as }) => {
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
