import { ROLES } from '@sangam/contract/roles.ts';
import { mayOpen, SCREENS } from '@sangam/contract/screens.ts';
import { Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demo } from './world/demo.ts';

const built = SCREENS.filter(
  ({ built: isBuilt, roles, path }) => isBuilt && roles !== 'public' && path !== '/error_401',
);

for (const role of ROLES) {
  test(`${role} opens its own screens and no others`, async ({ as }) => {
    const page = await as(demo().users.find((user) => user.role === role)!.account);
    const shell = new Shell(page);
    for (const screen of built) {
      await page.goto(screen.path);
      if (mayOpen(role, screen)) {
        await expect(shell.heading, screen.path).toBeVisible();
        await expect(shell.noAccess).toBeHidden();
        await expect(page).toHaveURL(screen.path);
        await expect(page.getByRole('status', { name: 'Loading' })).toBeHidden();
        await expect(page.getByRole('alert'), screen.path).toBeHidden();
      } else {
        await expect(page, screen.path).toHaveURL('/error_401');
        await expect(shell.noAccess).toBeVisible();
      }
    }
  });
}
