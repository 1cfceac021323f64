import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { Status } from '../figures/status.tsx';
import type { OutputOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import { useMayCall } from '../session/may-call.ts';
import { AttemptOutcome } from './attempt-outcome.tsx';

type Group = OutputOf<typeof endpoints.callback.getCallbackHealth>['groups'][number];

const EVERY_MS = 30_000;
const LISTS = [endpoints.callback.getCallbackHealth, endpoints.callback.getCallbackList] as const;

/** Failing callbacks by merchant endpoint and kind of failure, each with a button that sends all of them again. */
export function CallbackHealth() {
  const { t } = useTranslation();
  const mayResend = useMayCall()(endpoints.callback.resendFailed);
  const [asked, setAsked] = useState<Group>();
  const health = useCall(endpoints.callback.getCallbackHealth, {}, { everyMs: EVERY_MS });
  if (!health.data) return null;
  const { groups } = health.data;
  if (groups.length === 0) return <Status tone="positive" label={t('callbacks.healthy')} />;
  const said = (group: Group) => (
    <AttemptOutcome status={group.status} error={group.error} acknowledged={false} />
  );
  return (
    <Section title={t('callbacks.failing')} count={groups.length}>
      <PlainTable
        rows={groups}
        keyOf={({ status, error }) => `${status} ${error}`}
        columns={[
          // First, so that a long answer does not push the button off a phone's screen.
          ...(mayResend
            ? [
                {
                  title: t('list.actions'),
                  cell: (group: Group) => (
                    <Button size="small" onClick={() => setAsked(group)}>
                      {t('callbacks.resendAll', { count: group.waiting + group.exhausted })}
                    </Button>
                  ),
                },
              ]
            : []),
          { title: t('callbacks.lastAnswer'), cell: said },
          { title: t('callbacks.waitingCount'), right: true, cell: ({ waiting }) => waiting },
          { title: t('callbacks.exhaustedCount'), right: true, cell: ({ exhausted }) => exhausted },
          { title: t('callbacks.newest'), cell: ({ newestTime }) => <Moment time={newestTime} /> },
          {
            title: t('callbacks.example'),
            cell: ({ orderCode }) => <Copyable text={orderCode} limit={20} />,
          },
        ]}
      />
      {asked && <ResendDialog group={asked} said={said(asked)} onClose={() => setAsked(undefined)} />}
    </Section>
  );
}

interface ResendDialogProps {
  readonly group: Group;
  readonly said: ReactNode;
  readonly onClose: () => void;
}

function ResendDialog({ group, said, onClose }: ResendDialogProps) {
  const { t } = useTranslation();
  const send = useSend(...LISTS);
  const { status, error, waiting, exhausted } = group;
  return (
    <DecisionDialog
      title={t('callbacks.resendAllTitle')}
      facts={[
        [t('callbacks.lastAnswer'), said],
        [t('callbacks.waitingCount'), waiting],
        [t('callbacks.exhaustedCount'), exhausted],
      ]}
      consequence={t('callbacks.resendConsequence')}
      okText={t('callbacks.resend')}
      onConfirm={async () => {
        await send(endpoints.callback.resendFailed, { status, error }, t('callbacks.resent'));
        return true;
      }}
      onClose={onClose}
    />
  );
}
