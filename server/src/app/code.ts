import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { SECOND } from '../platform/clock.ts';
import { readConfig } from '../platform/config.ts';
import { STEP, codeAt } from '../access/google-code.ts';

const demoFile = z.object({ users: z.array(z.object({ account: z.string(), googleSecret: z.string() })) });

/** `npm run code -- ACCOUNT`: the code that the authenticator of a demo user shows now. */
function currentCode(account: string | undefined): string {
  const file = join(readConfig(process.env).dataDir, 'demo.json');
  if (!existsSync(file))
    throw new Error(`There are codes for the demo world only, and ${file} does not exist.`);
  const { users } = demoFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  const user = users.find((candidate) => candidate.account === account);
  if (!user)
    throw new Error(`Usage: npm run code -- ACCOUNT, one of ${users.map((each) => each.account).join(', ')}`);
  const now = new Date();
  const secondsLeft = Math.ceil((STEP - (now.getTime() % STEP)) / SECOND);
  return `${codeAt(user.googleSecret, now)} (for ${secondsLeft} s; a code works once)`;
}

try {
  process.stdout.write(`${currentCode(process.argv[2])}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
