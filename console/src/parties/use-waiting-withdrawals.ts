import { endpoints } from 'virtual:endpoints';
import { useCall } from '../http/use-call.ts';
import { useChanges } from '../realtime/use-changes.ts';
import { useMayCall } from '../session/may-call.ts';
import type { OwnerKind } from './terms.ts';

/** The most requests read about one owner. */
const PAGE = 200;

/** The ids of an owner's scheduled terms that somebody has asked to take back. A second request about them would only be refused. */
export function useWaitingWithdrawals(ownerKind: OwnerKind, ownerId: string): ReadonlySet<unknown> {
  const enabled = useMayCall()(endpoints.terms.cancelUserProduct);
  const about = {
    kind: 'rateChange',
    subjectKind: ownerKind === 'merchant' ? 'merchant' : 'supplier',
    subjectId: ownerId,
    pageSize: PAGE,
  } as const;
  const others = useCall(endpoints.todo.getMine, about, { enabled });
  const own = useCall(endpoints.todo.getStarted, { ...about, status: 'pending' }, { enabled });
  useChanges('todo', () => {
    if (!enabled) return;
    void others.refetch();
    void own.refetch();
  });
  return new Set(
    [...(others.data?.list ?? []), ...(own.data?.list ?? [])].flatMap(
      ({ payload }) => payload['termsId'] ?? [],
    ),
  );
}
