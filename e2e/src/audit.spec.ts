import { sql } from '@sangam/server/platform/db/database.ts';
import { expect, test } from './test.ts';
import { inDatabase } from './world/database.ts';

const NAMED_WITHIN = 60_000;

test('the audit shows until when it is intact, and names a row that was changed by SQL', async ({ as }) => {
  const page = await as('superadmin');
  await page.goto('/auditRecord/auditRecord');
  const intact = page.getByText('are intact up to');
  await expect(intact).toBeVisible({ timeout: NAMED_WITHIN });
  const setReason = (reason: string | null) =>
    inDatabase(async (db) => {
      const [row] = await db.query<{ id: bigint }>(sql`
        update audit_log set reason = ${reason} where id = (select min(id) from audit_log where reason is null or reason = 'forged')
        returning id`);
      return String(row!.id);
    });
  const id = await setReason('forged');
  try {
    await expect(page.getByText(`Audit entry ${id} was changed`)).toBeVisible({ timeout: NAMED_WITHIN });
  } finally {
    await setReason(null);
  }
  await expect(intact).toBeVisible({ timeout: NAMED_WITHIN });
});

test('the drawer of an account links to all its audit entries', async ({ as }) => {
  const page = await as('superadmin');
  await page.goto('/auditRecord/auditRecord');
  await page.getByRole('row').nth(1).click();
  await page.getByRole('button', { name: 'Everything done to this' }).click();
  await expect(page).toHaveURL(/[?&]s=/);
});

test('the audit is searched by what was done, in the reader’s words', async ({ as }) => {
  const page = await as('superadmin');
  await page.goto('/auditRecord/auditRecord');
  await page.getByLabel('Action', { exact: true }).fill('Signed in');
  await page.locator('.ant-select-item-option', { hasText: /^Signed in$/ }).click();
  await expect(page).toHaveURL(/[?&]do=user\.login(&|$)/);
  await expect(page.getByRole('row', { name: 'Signed in' }).first()).toBeVisible();
  await expect(page.getByRole('row', { name: 'Second password given' })).toHaveCount(0);
});
