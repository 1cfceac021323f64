import { hashPassword } from '../access/password.ts';

const made = new Map<string, Promise<string>>();

/** Hashes each password once in a worker, because a hash takes 40 ms of the processor and every world has users. */
export function hashOnce(password: string): Promise<string> {
  const hash = made.get(password) ?? hashPassword(password);
  made.set(password, hash);
  return hash;
}
