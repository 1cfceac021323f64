import * as admin from '@sangam/contract/endpoints/admin.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { addUser } from './add-user.ts';
import { changeOwnPassword, changeOwnPayPassword } from './change-own.ts';
import { listUsers, supplierUserOptions, unusedUserOptions, userOptions } from './list-users.ts';
import { repairUser } from './repair-user.ts';
import { makePasswordLink } from './password-links.ts';
import { updateUser } from './update-user.ts';
import { askUserAccess } from './user-access.ts';
import { enableGoogleVerify, setAllowModify } from './user-flags.ts';

export const userAdminRoutes: readonly Route[] = [
  viewerRoute(admin.addUser, addUser),
  viewerRoute(admin.getUserList, listUsers),
  viewerRoute(admin.updateUser, (platform, viewer, input) =>
    updateUser(platform, viewer, { ...input, id: BigInt(input.id) }),
  ),
  viewerRoute(admin.repairUser, (platform, viewer, input) =>
    repairUser(platform, viewer, { ...input, userId: BigInt(input.userId) }),
  ),
  viewerRoute(admin.resetPayPassword, (platform, viewer, input) =>
    askUserAccess(platform, viewer, BigInt(input.id), { userChange: 'passwords' }),
  ),
  viewerRoute(admin.makePasswordLink, (platform, viewer, input) =>
    makePasswordLink(platform, viewer, BigInt(input.todoId)),
  ),
  viewerRoute(admin.enableGoogleVerify, (platform, viewer, input) =>
    enableGoogleVerify(platform, viewer, { ...input, userId: BigInt(input.userId) }),
  ),
  viewerRoute(admin.setAllowModify, (platform, viewer, input) =>
    setAllowModify(platform, viewer, { ...input, userId: BigInt(input.userId) }),
  ),
  viewerRoute(admin.getUserOptions, userOptions),
  viewerRoute(admin.getSupplierUserOptions, supplierUserOptions),
  viewerRoute(admin.getUnusedUserOptions, unusedUserOptions),
  viewerRoute(admin.changeOwnPassword, changeOwnPassword),
  viewerRoute(admin.changeOwnPayPassword, changeOwnPayPassword),
];
