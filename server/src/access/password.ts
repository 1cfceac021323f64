import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { fairTurns } from '../http/fair-turns.ts';

/** OWASP's smallest argon2id setting: 19 MiB, two passes, one lane; about 40 ms here. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/**
 * How many hashes run at once in this process. They use the four threads that also compress answers and read files: a flood of
 * sign-ins took all of them, and a list then took 708 ms (95 of 100 calls), while a create took 66 ms.
 */
const turns = fairTurns({ atOnce: 2, ofOne: 2, waiting: Infinity, waitingInAll: Infinity });

const hashInThread = promisify(argon2);

async function derive(...parameters: Parameters<typeof hashInThread>): Promise<Buffer> {
  const end = await turns.take('');
  try {
    return await hashInThread(...parameters);
  } finally {
    end?.();
  }
}

const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

function phc(cost: typeof COST, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(salt)}$${encode(tag)}`;
}

/** An unknown account is checked against this hash, so that the answer takes the same time. */
const NOBODY = phc(COST, Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES));

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(SALT_BYTES);
  const tag = await derive('argon2id', {
    ...COST,
    message: password.normalize('NFKC'),
    nonce,
    tagLength: TAG_BYTES,
  });
  return phc(COST, nonce, tag);
}

/** Compares a password with a stored hash. Without a hash it takes as long and answers false. */
export async function passwordMatches(password: string, stored: string | null | undefined): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored ?? NOBODY);
  if (!match) throw new Error('a stored password hash is not argon2id');
  const [memory, passes, parallelism] = [match[1], match[2], match[3]].map(Number) as [
    number,
    number,
    number,
  ];
  const expected = Buffer.from(match[5]!, 'base64');
  const tag = await derive('argon2id', {
    memory,
    passes,
    parallelism,
    message: password.normalize('NFKC'),
    nonce: Buffer.from(match[4]!, 'base64'),
    tagLength: expected.length,
  });
  return timingSafeEqual(tag, expected) && stored !== null && stored !== undefined;
}
