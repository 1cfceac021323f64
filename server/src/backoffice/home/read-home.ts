import type { getHome, WAITING_KINDS } from '@sangam/contract/endpoints/home.ts';
import type { Role } from '@sangam/contract/roles.ts';
import type { z } from 'zod';
import { countResources } from '../../accounts/detail.ts';
import { stuckAccounts } from '../../accounts/stuck.ts';
import { countMine } from '../../approvals/list.ts';
import { countFailedCallbacks } from '../../collection/count-failed-callbacks.ts';
import { countMessages } from '../../evidence/matching/count-open.ts';
import { countWaitingPayouts } from '../../payout/count-waiting.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { dueOfMerchant } from '../../treasury/settlement/due.ts';
import { readTeam } from './read-team.ts';

type Home = z.input<typeof getHome.output>;
type Kind = (typeof WAITING_KINDS)[number];
type Count = (platform: Platform, viewer: Viewer, kind: never) => Promise<number>;

const DESK: readonly Role[] = ['superAdmin', 'admin', 'customerService', 'technicalMaintenance'];
/** The roles that may open the list of bank messages. */
const READERS_OF_MESSAGES: readonly Role[] = ['superAdmin', 'admin', 'supplier'];

/** How each kind is counted, and which roles see it. */
const KINDS: Readonly<Record<Kind, { readonly roles: readonly Role[]; readonly count: Count }>> = {
  approvals: { roles: [...DESK, 'supplier'], count: countMine },
  payoutsWaiting: { roles: [...DESK, 'supplier'], count: countWaitingPayouts },
  payoutsClaimed: { roles: ['supplier'], count: countWaitingPayouts },
  payoutsToConfirm: { roles: [...DESK, 'supplier'], count: countWaitingPayouts },
  payoutErrors: { roles: DESK, count: countWaitingPayouts },
  payoutsUnproven: { roles: [...DESK, 'supplier'], count: countWaitingPayouts },
  callbacksFailed: { roles: [...DESK, 'merchant'], count: countFailedCallbacks },
  messagesUnmatched: messages('unmatched'),
  messagesAmbiguous: messages('ambiguous'),
  messagesUnparsed: messages('unparsed'),
};

function messages(state: Parameters<typeof countMessages>[2]): (typeof KINDS)[Kind] {
  return { roles: READERS_OF_MESSAGES, count: (platform, viewer) => countMessages(platform, viewer, state) };
}

const READERS_OF_ACCOUNTS: readonly Role[] = [...DESK, 'technicalSupport', 'supplier'];
const MOST_STUCK = 10;

/** The start page of a viewer, within its scope: open work, money due, the state of its accounts and of its team's. */
export async function readHome(platform: Platform, viewer: Viewer): Promise<Home> {
  const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) => KINDS[kind].roles.includes(viewer.role));
  const [waiting, accounts, due, team] = await Promise.all([
    Promise.all(
      kinds.map(async (kind) => ({ kind, count: await KINDS[kind].count(platform, viewer, kind as never) })),
    ),
    READERS_OF_ACCOUNTS.includes(viewer.role) ? readAccounts(platform, viewer) : null,
    viewer.role === 'merchant' && viewer.merchantId !== null
      ? dueOfMerchant(platform.db, viewer.merchantId)
      : null,
    readTeam(platform, viewer),
  ]);
  return { waiting, accounts, due, team };
}

async function readAccounts(platform: Platform, viewer: Viewer): Promise<Home['accounts']> {
  const [counts, stuck] = await Promise.all([
    countResources(platform, viewer, { supplierId: undefined, productId: undefined }),
    stuckAccounts(platform, viewer, MOST_STUCK),
  ]);
  return { total: counts.total, open: counts.enabled, online: counts.online, stuck };
}
