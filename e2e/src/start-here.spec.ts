import { ROLES } from '@sangam/contract/roles.ts';
import { Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demo } from './world/demo.ts';

test('each role’s first steps open the screens they name; a closed card does not return', async ({ as }) => {
  for (const role of ROLES) {
    const page = await as(demo().users.find((user) => user.role === role)!.account);
    const shell = new Shell(page);
    const card = page.getByRole('region', { name: 'Start here: five things to try' });
    await page.goto('/home');
    await expect(card.getByRole('link'), role).toHaveCount(5);
    for (const index of [0, 1, 2, 3, 4]) {
      const link = card.getByRole('link').nth(index);
      const title = (await link.textContent())!;
      await link.click();
      await expect(shell.tabs.filter({ hasText: title }), `${role}: ${title}`).toHaveAttribute(
        'aria-selected',
        'true',
      );
      await expect(page.getByRole('alert'), title).toBeHidden();
      await shell.tabs.first().click();
    }
    await card.getByRole('button', { name: 'Close' }).click();
    await expect(card).toBeHidden();
    await page.reload();
    await expect(shell.heading).toBeVisible();
    await expect(card).toBeHidden();
    await page.context().close();
  }
});
