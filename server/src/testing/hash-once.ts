import { hashPassword } from '../access/password.ts';

const made = new Map<string, Promise<string>>();

/** Hashing takes 40 ms of the processor, and every world has users: each password is hashed once a worker. */
export function hashOnce(password: string): Promise<string> {
  const hash = made.get(password) ?? hashPassword(password);
  made.set(password, hash);
  return hash;
}
