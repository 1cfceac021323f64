import type { Locator, Page } from '@playwright/test';
import { expect } from '../test.ts';
import { demoUser } from '../world/demo.ts';
import { SecondPasswordDialog } from './shell.ts';

/** Opens the newest request of `row` among those that wait for the viewer. */
export async function openRequest(page: Page, row: string | RegExp, kind: string): Promise<Locator> {
  await page.goto('/todo/mine');
  await page.getByRole('row', { name: row }).first().click();
  return page.getByRole('dialog', { name: kind, exact: true });
}

/** Approves the open request as `account`. */
export async function approve(page: Page, kind: string, account: string): Promise<void> {
  await page
    .getByRole('dialog', { name: kind, exact: true })
    .getByRole('button', { name: 'Approve' })
    .click();
  const answer = page.getByRole('dialog', { name: `Approve: ${kind}` });
  await answer.getByRole('button', { name: 'Approve' }).click();
  await new SecondPasswordDialog(page).answer(demoUser(account).payPassword);
  await expect(answer).toBeHidden();
}
