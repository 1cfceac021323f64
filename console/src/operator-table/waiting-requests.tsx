import { Alert } from 'antd';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApprovalKind } from '@sangam/contract/approvals.ts';
import { endpoints } from 'virtual:endpoints';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useChanges } from '../realtime/use-changes.ts';
import { useMayCall } from '../session/may-call.ts';
import { LIST_PARAMS } from './list-state.ts';

export interface WaitingRequestsProps {
  /** Requests of one kind, or of all kinds about this kind of subject, or about one subject. */
  readonly about:
    | { readonly kind: ApprovalKind }
    | { readonly subjectKind: 'order' | 'payoutBatch'; readonly subjectId?: string };
  /** Returns the name of a request's subject, from its fields. */
  readonly nameOf?: (payload: Readonly<Record<string, unknown>>) => string | undefined;
}

/** Requests that wait for a second person, each with a link. Drawn above a list or in a drawer; nothing where none waits. */
export function WaitingRequests({ about, nameOf }: WaitingRequestsProps) {
  const { t } = useTranslation();
  const name = useNames();
  const { openTab } = useTabLocation();
  const mayCall = useMayCall();
  const seesMine = mayCall(endpoints.todo.getMine);
  const seesStarted = mayCall(endpoints.todo.getStarted);
  const mine = useCall(endpoints.todo.getMine, { ...about, pageSize: 20 }, { enabled: seesMine });
  const started = useCall(
    endpoints.todo.getStarted,
    { ...about, status: 'pending', pageSize: 20 },
    { enabled: seesStarted },
  );
  useChanges('todo', () => {
    if (seesMine) void mine.refetch();
    if (seesStarted) void started.refetch();
  });
  const ofAnyKind = (kind: ApprovalKind, subject: string) =>
    'subjectId' in about ? name('approvalKinds', kind) : `${name('approvalKinds', kind)} ${subject}`;
  const requests = [
    ...(mine.data?.list ?? []).map((request) => ({ request, path: '/todo/mine' })),
    ...(started.data?.list ?? []).map((request) => ({ request, path: '/todo/started' })),
  ].flatMap(({ request, path }) => {
    const subject = nameOf ? nameOf(request.payload) : (request.subjectName ?? request.subjectId);
    const label = subject === undefined || 'kind' in about ? subject : ofAnyKind(request.kind, subject);
    return label === undefined ? [] : [{ id: request.id, label, path }];
  });
  if (requests.length === 0) return null;
  return (
    <Alert
      banner
      // A status, not an alert: a screen reader reads it when nothing else is being read.
      role="status"
      type="info"
      showIcon
      style={{ marginBottom: 8 }}
      title={
        <>
          {`${t('list.waitsForSecond')} `}
          {requests.map(({ id, label, path }, index) => {
            const query = `?${LIST_PARAMS.open}=${id}`;
            return (
              <Fragment key={id}>
                {index > 0 && ', '}
                <a
                  href={`${path}${query}`}
                  onClick={(event) => {
                    event.preventDefault();
                    openTab(path, () => query);
                  }}
                >
                  {label}
                </a>
              </Fragment>
            );
          })}
        </>
      }
    />
  );
}
