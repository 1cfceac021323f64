/// <reference lib="dom" />
import { ROLES } from '@sangam/contract/roles.ts';
import { mayOpen, SCREENS } from '@sangam/contract/screens.ts';
import { Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demo } from './world/demo.ts';

test('each role’s first steps open the screens they name; a closed card does not return', async ({ as }) => {
  for (const [index, role] of ROLES.entries()) {
    const page = await as(demo().users.find((user) => user.role === role)!.account);
    const shell = new Shell(page);
    const card = page.getByRole('region', { name: 'Start here: five things to try' });
    await page.goto('/home');
    await expect(card.getByRole('link'), role).toHaveCount(5);
    const paths = await card
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname));
    for (const path of paths)
      expect(
        mayOpen(
          role,
          SCREENS.find((screen) => screen.path === path)!,
        ),
        `${role}: ${path}`,
      ).toBe(true);
    // One link a role: roles.spec.ts opens every screen with every role.
    const link = card.getByRole('link').nth(index % paths.length);
    const title = (await link.textContent())!;
    await link.click();
    await expect(shell.tabs.filter({ hasText: title }), `${role}: ${title}`).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await expect(page.getByRole('alert'), title).toBeHidden();
    await shell.tabs.first().click();
    await card.getByRole('button', { name: 'Close' }).click();
    await expect(card).toBeHidden();
    await page.reload();
    await expect(shell.heading).toBeVisible();
    await expect(card).toBeHidden();
    await page.context().close();
  }
});
