import { ROLES } from '@sangam/contract/roles.ts';
import { mayOpen, SCREENS } from '@sangam/contract/screens.ts';
import { Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demo } from './world/demo.ts';

const built = SCREENS.filter(
  ({ built: isBuilt, roles, path }) => isBuilt && roles !== 'public' && path !== '/error_401',
);

test.describe.configure({ mode: 'parallel' });

for (const role of ROLES) {
  test(`${role} opens its own screens and no others`, async ({ as }) => {
    const page = await as(demo().users.find((user) => user.role === role)!.account);
    const shell = new Shell(page);
    await page.goto('/home');
    await expect(shell.heading).toBeVisible();
    for (const screen of built) {
      await shell.visit(screen.path);
      if (mayOpen(role, screen)) {
        await expect(shell.heading, screen.path).toBeVisible();
        await expect(page.getByRole('status', { name: 'Loading' }), screen.path).toBeHidden();
        await expect(page.getByRole('alert'), screen.path).toBeHidden();
        await expect(page).toHaveURL(screen.path);
      } else {
        await expect(page, screen.path).toHaveURL('/error_401');
        await expect(shell.noAccess).toBeVisible();
      }
    }
  });
}
