import { expect, it, vi } from 'vitest';
import { CallCancelled } from './call-error.ts';

const stored = new Map<string, string>();
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, text: string) => stored.set(key, text),
  removeItem: (key: string) => stored.delete(key),
};
vi.stubGlobal('localStorage', storage);
vi.stubGlobal('sessionStorage', storage);
vi.stubGlobal('addEventListener', () => undefined);

const { session } = await import('../session/session.ts');
const { secondPasswordPrompt } = await import('./second-password-prompt.ts');
await import('./client.ts');

it('is cancelled when the session ends', async () => {
  session.begin('first');
  const asked = secondPasswordPrompt.ask('/v1.0/order/reverseOrder');
  expect(secondPasswordPrompt.action()).toBe('/v1.0/order/reverseOrder');
  session.end('expired');
  await expect(asked).rejects.toBeInstanceOf(CallCancelled);
  expect(secondPasswordPrompt.isOpen()).toBe(false);
});
