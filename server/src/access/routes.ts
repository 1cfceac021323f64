import * as company from '@sangam/contract/endpoints/company-sign-in.ts';
import * as passkey from '@sangam/contract/endpoints/passkey.ts';
import * as partyUser from '@sangam/contract/endpoints/party-user.ts';
import * as roles from '@sangam/contract/endpoints/role-matrix.ts';
import * as user from '@sangam/contract/endpoints/user.ts';
import { type Caller, type Route, publicRoute, viewerRoute } from '../http/route.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import { bindUser } from './bind-user.ts';
import {
  beginVisit,
  confirmByCompany,
  linkIdentity,
  ownIdentity,
  signInByCompany,
  unlinkIdentity,
} from './company/company-sign-in.ts';
import { confirmBind, confirmBindForProfile } from './confirm-bind.ts';
import { getInfo } from './get-info.ts';
import { getSessions } from './get-sessions.ts';
import { endOwnSessions, endSessions, listLoggedUsers } from './logged-users.ts';
import { login } from './login.ts';
import { login2 } from './login2.ts';
import { forceLogout, logout } from './logout.ts';
import type { SessionTokens } from './new-session.ts';
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from './passkeys/own-passkeys.ts';
import { beginStepUp } from './passkeys/step-up.ts';
import {
  getPartyUsers,
  invitePartyUser,
  removePartyUser,
  resetPartyUser,
  setPartyRole,
} from './party-users/party-users.ts';
import { getPasswordLink, setPasswords } from './password-links.ts';
import { roleMatrix } from './role-matrix.ts';
import { endSeeAs, seeAs } from './see-as.ts';
import type { SignedIn } from './sign-in.ts';
import { tellScreens } from './tell-screens.ts';
import { unbind, unbindForProfile } from './unbind.ts';

export const PEOPLE_ROUTES: readonly Route[] = [
  publicRoute(user.login, async (platform, input, caller) =>
    sessionAnswer(await login(platform, input, caller), caller),
  ),
  viewerRoute(user.login2, login2),
  viewerRoute(user.getInfo, getInfo),
  viewerRoute(user.logout, async (platform, viewer, _input, caller) => {
    const answer = await logout(platform, viewer);
    if (!isRefusal(answer)) caller.setSessionCookie(null);
    return answer;
  }),
  viewerRoute(user.getSessions, getSessions),
  viewerRoute(user.getLoggedUsers, listLoggedUsers),
  viewerRoute(user.endSessions, (platform, viewer, { userId, reason }) =>
    endSessions(platform, viewer, userId === undefined ? undefined : BigInt(userId), reason),
  ),
  viewerRoute(user.endOwnSessions, (platform, viewer) => endOwnSessions(platform, viewer)),
  viewerRoute(user.forceLogout, (platform, viewer, input) =>
    forceLogout(platform, viewer, BigInt(input.token), input.reason),
  ),
  viewerRoute(user.tellScreens, tellScreens),
  publicRoute(user.getPasswordLink, getPasswordLink),
  publicRoute(user.setPasswords, setPasswords),
  viewerRoute(user.seeAs, (platform, viewer, input, caller) =>
    seeAs(platform, viewer, input, caller.userAgent),
  ),
  viewerRoute(user.endSeeAs, (platform, viewer) => endSeeAs(platform, viewer)),
  viewerRoute(roles.getRoleMatrix, (_platform, _viewer, input) => roleMatrix(input)),
  viewerRoute(user.bindUser, (platform, viewer, input) => bindUser(platform, viewer, input, 'binding')),
  viewerRoute(user.confirmBind, async (platform, viewer, input, caller) =>
    withCookie(await confirmBind(platform, viewer, input, caller.userAgent), caller),
  ),
  viewerRoute(user.bindUserForProfile, (platform, viewer, input) =>
    bindUser(platform, viewer, input, 'full'),
  ),
  viewerRoute(user.confirmBindForProfile, confirmBindForProfile),
  viewerRoute(user.unbind, (platform, viewer, input) => unbind(platform, viewer, input.userAccount)),
  viewerRoute(user.unbindForProfile, (platform, viewer, input) =>
    unbindForProfile(platform, viewer, input.userAccount),
  ),
  viewerRoute(passkey.getPasskeys, listPasskeys),
  viewerRoute(passkey.beginPasskey, beginPasskey),
  viewerRoute(passkey.addPasskey, addPasskey),
  viewerRoute(passkey.removePasskey, (platform, viewer, { id }) =>
    removePasskey(platform, viewer, BigInt(id)),
  ),
  viewerRoute(passkey.beginStepUp, beginStepUp),
  viewerRoute(partyUser.getPartyUsers, getPartyUsers),
  viewerRoute(partyUser.invitePartyUser, invitePartyUser),
  viewerRoute(partyUser.setPartyRole, setPartyRole),
  viewerRoute(partyUser.resetPartyUser, resetPartyUser),
  viewerRoute(partyUser.removePartyUser, removePartyUser),
  publicRoute(company.getCompanySignIn, ({ config }) =>
    Promise.resolve({ name: config.companySignIn?.name ?? null }),
  ),
  publicRoute(company.beginCompanySignIn, (platform) => beginVisit(platform)),
  publicRoute(company.companySignIn, async (platform, input, caller) =>
    sessionAnswer(await signInByCompany(platform, input, caller), caller),
  ),
  publicRoute(company.confirmCompanySignIn, async (platform, input, caller) =>
    sessionAnswer(await confirmByCompany(platform, input, caller), caller),
  ),
  viewerRoute(company.getOwnIdentity, ownIdentity),
  viewerRoute(company.beginLink, (platform, viewer) => beginVisit(platform, viewer)),
  viewerRoute(company.linkIdentity, linkIdentity),
  viewerRoute(company.unlinkIdentity, unlinkIdentity),
];

/** A session that may only bind an authenticator is answered as a refusal with its token (1006). */
function sessionAnswer(signedIn: SignedIn | Refusal, caller: Caller): { readonly token: string } | Refusal {
  const answer = withCookie(signedIn, caller);
  if (isRefusal(signedIn) || isRefusal(answer) || signedIn.stage === 'full') return answer;
  return refuse('mustBind', {}, { ...answer, account: signedIn.account });
}

/** The page gets the token, the browser gets the cookie. */
function withCookie(tokens: SessionTokens | Refusal, caller: Caller): { readonly token: string } | Refusal {
  if (isRefusal(tokens)) return tokens;
  caller.setSessionCookie(tokens.cookie);
  return { token: tokens.token };
}
