import { endpoints } from 'virtual:endpoints';
import type { RowOf } from '../http/call-types.ts';
import type { useMayCall } from '../session/may-call.ts';

export type User = RowOf<typeof endpoints.admin.getUserList>;

const CALLS = {
  edit: endpoints.admin.updateUser,
  payPassword: endpoints.admin.resetPayPassword,
  askGoogle: endpoints.admin.enableGoogleVerify,
  dontAskGoogle: endpoints.admin.enableGoogleVerify,
  unbind: endpoints.user.unbind,
  allow: endpoints.admin.setAllowModify,
  forbid: endpoints.admin.setAllowModify,
  repair: endpoints.admin.repairUser,
  delete: endpoints.admin.deleteUser,
  seeAs: endpoints.user.seeAs,
} as const;

export type UserAction = keyof typeof CALLS;

/** The actions that the viewer may take on a user now. */
export function userActionsOf(user: User, mayCall: ReturnType<typeof useMayCall>): UserAction[] {
  if (!user.mayChange) return [];
  const fitting: readonly UserAction[] =
    user.deletedTime === null
      ? [
          'edit',
          'payPassword',
          user.enableGoogleVerify ? 'dontAskGoogle' : 'askGoogle',
          ...(user.confirmBind ? (['unbind'] as const) : []),
          user.allowModify ? 'forbid' : 'allow',
          'seeAs',
          'repair',
          'delete',
        ]
      : ['repair'];
  return fitting.filter((action) => mayCall(CALLS[action]));
}
