import { setGatewayCredentials } from '@sangam/contract/endpoints/account.ts';
import { getGateways } from '@sangam/contract/endpoints/gateway.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { approve, openRequest } from './pages/approvals.ts';
import { SecondPasswordDialog, Shell } from './pages/shell.ts';
import { expect, test } from './test.ts';
import { demoUser, ownNumber } from './world/demo.ts';
import { callAs } from './world/session.ts';

const keysSetAt = async () =>
  (await callAs('superadmin', getGateways, {})).list.find(({ provider }) => provider === 'razorpayx')!
    .credentialsTime;

test('a gateway’s keys are replaced after an approval; the second person sees which keys change, but not their values', async ({
  as,
  complaints,
}) => {
  for (const { path } of [setGatewayCredentials, decide]) complaints.expectOf(path);
  const before = await keysSetAt();
  const reason = `The gateway rotated its keys, letter ${ownNumber(1)}`;
  const secret = 'not-to-be-read-by-anybody';
  const asker = await as('superadmin');
  await asker.goto('/payGatewayConfig');
  await asker
    .getByRole('row')
    .filter({ hasText: 'RazorpayX' })
    .getByRole('button', { name: /^Actions of/ })
    .click();
  await asker.getByRole('menuitem', { name: 'Set keys' }).click();
  const form = asker.getByRole('dialog', { name: /^Credentials/ });
  await expect(form).toContainText('They replace the present ones once a second person has approved');
  await form.getByLabel('Key ID').fill('rzp_test_new');
  await form.getByLabel('Key secret').fill(secret);
  await form.getByLabel('Reason').fill(reason);
  await form.getByRole('button', { name: 'Save' }).click();
  await new SecondPasswordDialog(asker).answer(demoUser('superadmin').payPassword);
  await expect(form).toBeHidden();
  await expect(new Shell(asker).notice(/approv/i)).toBeVisible();
  expect(await keysSetAt()).toBe(before);

  const decider = await as('admin');
  const request = await openRequest(decider, /Gateway credentials/, 'Gateway credentials');
  await expect(request).toContainText(reason);
  await expect(request).toContainText('keySecret');
  await expect(request).not.toContainText(secret);
  await approve(decider, 'Gateway credentials', 'admin');
  await expect.poll(keysSetAt).not.toBe(before);
});
