import type { UserInfo } from '@sangam/contract/endpoints/user.ts';
import { countUnread } from '../inbox/inbox.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { getUser, isAgent } from './store.ts';

/** The signed-in user, for the console's shell. */
export async function getInfo(platform: Platform, viewer: Viewer): Promise<UserInfo | Refusal> {
  const user = await getUser(platform.db, viewer.userId);
  if (!user) return refuse('sessionExpired');
  const settings = await platform.settings.all();
  return {
    user_id: String(user.id),
    account: user.account,
    name: user.nickname,
    access: user.role,
    showLogo: settings.ShowLogo,
    systemFlag: settings.SysFlag,
    enableGoogleVerify: user.enableGoogleVerify,
    confirmBind: user.googleSecret !== null,
    ...(viewer.merchantId === null ? {} : { merchantId: String(viewer.merchantId) }),
    ...(viewer.supplierId === null ? {} : { supplierId: String(viewer.supplierId) }),
    ...(viewer.partyRole && { partyRole: viewer.partyRole }),
    isAgent: viewer.supplierId !== null && (await isAgent(platform.db, viewer.supplierId)),
    isDemo: platform.config.demo,
    ...(viewer.seenBy && { access: viewer.role, seenBy: viewer.seenBy.account }),
    unreadCount: await countUnread(platform, viewer.userId),
  };
}
