import { Alert } from 'antd';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApprovalKind } from '@sangam/contract/approvals.ts';
import { endpoints } from 'virtual:endpoints';
import { useCall } from '../http/use-call.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useMayCall } from '../session/may-call.ts';
import { LIST_PARAMS } from './list-state.ts';

export interface WaitingRequestsProps {
  readonly kind: ApprovalKind;
  /** Which of a request's fields names it here. */
  readonly nameOf?: (payload: Readonly<Record<string, unknown>>) => string | undefined;
}

/** Above a list: what was asked for by its screen and waits for a second person, each with the way to it. Nothing where none waits. */
export function WaitingRequests({ kind, nameOf }: WaitingRequestsProps) {
  const { t } = useTranslation();
  const { openTab } = useTabLocation();
  const mayCall = useMayCall();
  const mine = useCall(
    endpoints.todo.getMine,
    { kind, pageSize: 20 },
    { enabled: mayCall(endpoints.todo.getMine) },
  );
  const started = useCall(
    endpoints.todo.getStarted,
    { kind, status: 'pending', pageSize: 20 },
    { enabled: mayCall(endpoints.todo.getStarted) },
  );
  const requests = [
    ...(mine.data?.list ?? []).map((request) => ({ request, path: '/todo/mine' })),
    ...(started.data?.list ?? []).map((request) => ({ request, path: '/todo/started' })),
  ].flatMap(({ request, path }) => {
    const label = nameOf ? nameOf(request.payload) : (request.subjectName ?? request.subjectId);
    return label === undefined ? [] : [{ id: request.id, label, path }];
  });
  if (requests.length === 0) return null;
  return (
    <Alert
      banner
      type="info"
      showIcon
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
