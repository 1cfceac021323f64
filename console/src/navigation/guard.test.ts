import { describe, expect, it } from 'vitest';
import { ROLES } from '@sangam/contract/roles.ts';
import { SCREENS, rolesOf } from '@sangam/contract/screens.ts';
import { admit, enter } from './guard.ts';

describe('entering', () => {
  it('leads to the sign-in page without a token, and away from it with one', () => {
    expect(enter('/order/list', false, false)).toEqual({ go: '/login' });
    expect(enter('/nowhere', false, false)).toEqual({ go: '/login' });
    expect(enter('/login', true, false)).toEqual({ go: '/home' });
    expect(enter('/login', false, false)).toEqual({ show: 'login' });
    expect(enter('/', true, false)).toEqual({ go: '/home' });
    expect(enter('/order/list', true, false)).toEqual({ show: 'shell' });
  });

  it('binds an authenticator only during a sign-in that asked for it', () => {
    expect(enter('/googleVerify', false, true)).toEqual({ show: 'binding' });
    expect(enter('/googleVerify', false, false)).toEqual({ go: '/login' });
    expect(enter('/googleVerify', true, false)).toEqual({ go: '/home' });
    expect(enter('/setPasswords', false, false)).toEqual({ show: 'setPasswords' });
    expect(enter('/setPasswords', true, false)).toEqual({ show: 'setPasswords' });
  });
});

describe('admitting', () => {
  const inside = SCREENS.filter((screen) => screen.roles !== 'public');

  it.each(ROLES)('admits %s exactly to the screens of the route table', (role) => {
    for (const screen of inside) {
      const allowed = rolesOf(screen).includes(role);
      const expected = allowed ? 'page' : 'forbidden';
      expect([screen.path, admit(screen.path, role).kind]).toEqual([screen.path, expected]);
    }
  });

  it('does not know other paths', () => {
    expect(admit('/nowhere', 'superAdmin')).toEqual({ kind: 'unknown' });
  });
});
