import { endpoints } from 'virtual:endpoints';
import { screenFor } from '@sangam/contract/screens.ts';
import { useCall } from '../http/use-call.ts';
import type { OutputOf } from '../http/call-types.ts';
import { useInbox } from '../inbox/use-inbox.ts';
import { INBOX } from '../navigation/guard.ts';
import { useViewer } from '../session/viewer.ts';

type Kind = OutputOf<typeof endpoints.home.getHome>['waiting'][number]['kind'];

const REFRESH_MS = 60_000;

/** Areas whose menu entry shows a number, and the kinds of waiting work it counts. */
const COUNTED: Readonly<Record<string, readonly Kind[]>> = {
  toDo: ['approvals'],
  payoutOrders: ['payoutsToConfirm', 'payoutErrors'],
  bankSMSRecords: ['messagesUnmatched', 'messagesAmbiguous', 'messagesUnparsed'],
};

/** The number of waiting items for each of the viewer's screens, by path. */
export function useMenuCounts(): ReadonlyMap<string, number> {
  const { access } = useViewer();
  const unread = useInbox().data?.unreadCount ?? 0;
  const home = useCall(endpoints.home.getHome, {}, { everyMs: REFRESH_MS, keepPrevious: true });
  const waiting = new Map(home.data?.waiting.map(({ kind, count }) => [kind, count]));
  const counts = Object.entries(COUNTED).flatMap(([area, kinds]): [string, number][] => {
    const screen = screenFor(access, area);
    return screen ? [[screen.path, kinds.reduce((sum, kind) => sum + (waiting.get(kind) ?? 0), 0)]] : [];
  });
  return new Map([...counts, [INBOX, unread]]);
}
