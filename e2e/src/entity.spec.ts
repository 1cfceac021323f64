import { expect, test } from './test.ts';
import { demo } from './world/demo.ts';

test('the entity view masks an account for the superAdmin, and names every field', async ({ as }) => {
  const [account] = demo().monitors[0]!.accounts;
  const page = await as('superadmin');
  await page.goto(`/entity-data-view?kind=account&id=${account!.resourceId}`);
  const fields = page.getByRole('region', { name: `Account ${account!.resourceId}` });
  await expect(fields).toContainText(`**** ${account!.accountTail}`);
  await expect(fields).not.toContainText(account!.vpa);
  await expect(fields).toContainText('Receives');
  const names = await fields.locator('dt').allTextContents();
  expect(names.filter((name) => name.includes('_'))).toEqual([]);
});
