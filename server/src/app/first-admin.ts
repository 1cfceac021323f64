import { account } from '@sangam/contract/fields.ts';
import { readConfig } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import { createFirstAdmin } from '../access/first-admin.ts';
import { startNode } from './start.ts';

/**
 * `npm run first-admin -- ACCOUNT`: creates one of the first two superAdmins of an installation without a demo world. Migrates an empty
 * database. With DATABASE_URL it works beside running nodes; an embedded PostgreSQL must not be in use.
 */
async function run(): Promise<void> {
  const name = account.safeParse(process.argv[2] ?? '');
  if (!name.success) throw new Error('Usage: npm run first-admin -- ACCOUNT (letters and digits)');
  const config = {
    ...readConfig(process.env),
    role: 'api',
    host: '127.0.0.1',
    port: 0,
    demo: false,
  } as const;
  const node = await startNode(config, createLog('warn'), (error) => {
    throw error;
  });
  try {
    const made = await createFirstAdmin(node.platform, name.data);
    if (!made) throw new Error('There are two superAdmins already, who make the other users on the console.');
    process.stdout.write(
      `${name.data}, superAdmin. Within 24 hours it sets its passwords, once, at the address of the console:\n  /setPasswords#${made}\nShown this once. The authenticator is bound at the first sign-in.\n`,
    );
  } finally {
    await node.stop();
  }
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
