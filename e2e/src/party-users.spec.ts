import { invitePartyUser, removePartyUser, setPartyRole } from '@sangam/contract/endpoints/party-user.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { approve, openRequest } from './pages/approvals.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser, ownNumber } from './world/demo.ts';

test('a merchant’s owner invites a colleague, an admin hands over the link, and the owner alone disables and removes the colleague', async ({
  as,
  page,
  complaints,
}) => {
  for (const { path } of [invitePartyUser, setPartyRole, removePartyUser, decide]) complaints.expectOf(path);
  for (const call of ['getPasswordLink', 'setPasswords']) complaints.expectOf(`/v1.0/user/${call}`);
  const account = `books${ownNumber(1)}`;
  const owner = await as('merchant1');
  await owner.goto('/profile/list');
  const users = owner.getByRole('region', { name: 'Users of your company' });
  const row = users.getByRole('listitem').filter({ hasText: account });
  await users.getByRole('button', { name: 'Invite a user…' }).click();
  const invitation = owner.getByRole('dialog', { name: 'Invite a user…' });
  await invitation.getByLabel('Name').fill('Asha of the books');
  await invitation.getByLabel('Account').fill(account);
  await invitation.getByLabel('Role').click();
  await owner.getByTitle('Finance', { exact: true }).click();
  await invitation.getByRole('button', { name: 'Invite a user…' }).click();
  await new SecondPasswordDialog(owner).answer(demoUser('merchant1').payPassword);
  await expect(new Shell(owner).notice(/approv/i)).toBeVisible();
  await expect(row).toContainText('Finance');
  await expect(row).toContainText('Waits for an administrator');

  const decider = await as('superadmin');
  const kind = "Access to a user's account";
  const request = await openRequest(decider, new RegExp(account), kind);
  await expect(request).toContainText('A further user of its company');
  await expect(request).toContainText('Finance');
  await approve(decider, kind, 'superadmin');
  const link = await decider
    .getByRole('dialog', { name: `${kind} · ${account}` })
    .getByRole('code')
    .innerText();
  await page.goto(link);
  const again = page.getByLabel('The same once more');
  await page.getByLabel('Password', { exact: true }).fill('Quiet harbour 7');
  await again.first().fill('Quiet harbour 7');
  await page.getByLabel('Second password').fill('Loud harbour 8');
  await again.last().fill('Loud harbour 8');
  await page.getByRole('button', { name: 'Set passwords' }).click();
  await expect(page.getByText(`Both passwords of ${account} are set.`)).toBeVisible();

  await owner.reload();
  await expect(row).toContainText('Never signed in');
  const change = async (action: string) => {
    await row.getByRole('button', { name: `Change ${account}` }).click();
    await owner.getByRole('menuitem', { name: action }).click();
    return owner.getByRole('dialog', { name: `${action} · ${account}` });
  };
  const role = await change('Change the role…');
  await role.getByLabel('Role').click();
  await owner.getByTitle('Read only', { exact: true }).click();
  await role.getByRole('button', { name: 'Change the role…' }).click();
  await new SecondPasswordDialog(owner).answer(demoUser('merchant1').payPassword);
  await expect(row).toContainText('Read only');
  const removal = await change('Remove…');
  await removal.getByRole('button', { name: 'Remove…' }).click();
  await expect(row).toBeHidden();
});
