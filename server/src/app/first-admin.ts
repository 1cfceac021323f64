import { account } from '@sangam/contract/fields.ts';
import { createFirstAdmin } from '../access/first-admin.ts';
import { onOwnNode, runCommand } from './command.ts';

/**
 * `npm run first-admin -- ACCOUNT`: creates one of the first two superAdmins of an installation without a demo world. Migrates an empty
 * database. With DATABASE_URL it works beside running nodes; an embedded PostgreSQL must not be in use.
 */
await runCommand(async () => {
  const name = account.safeParse(process.argv[2] ?? '');
  if (!name.success) throw new Error('Usage: npm run first-admin -- ACCOUNT (letters and digits)');
  await onOwnNode(async (platform) => {
    const made = await createFirstAdmin(platform, name.data);
    if (!made) throw new Error('There are two superAdmins already, who make the other users on the console.');
    process.stdout.write(
      `${name.data}, superAdmin. Within 24 hours it sets its passwords, once, at the address of the console:\n  /setPasswords#${made}\nShown this once. The authenticator is bound at the first sign-in.\n`,
    );
  });
});
