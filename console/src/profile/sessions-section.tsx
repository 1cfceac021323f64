import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import { TextButton } from '../figures/text-button.tsx';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import { useMayCall } from '../session/may-call.ts';
import { useViewer } from '../session/viewer.ts';
import styles from './profile.module.css';

const LIVE_MS = 15_000;

type OpenSession = NonNullable<typeof endpoints.user.getSessions.types>['output']['list'][number];

/** The viewer's sessions, with buttons to end them. */
export function SessionsSection() {
  const { t } = useTranslation();
  const { account } = useViewer();
  const mayCall = useMayCall();
  const send = useSend(endpoints.user.getSessions);
  const [ending, setEnding] = useState<OpenSession | 'others'>();
  const { data } = useCall(endpoints.user.getSessions, {}, { everyMs: LIVE_MS });
  const own = (data?.list ?? []).filter((open) => open.account === account);
  return (
    <Section title={t('profile.sessions')} count={own.length}>
      <ul className={styles['rows']}>
        {own.map((open) => (
          <li key={open.token}>
            <span>
              <span className="figures">{open.ip}</span>
              <small>{open.userAgent}</small>
            </span>
            <span>
              <Moment time={open.lastSeenTime} />
            </span>
            {open.current ? (
              <Status tone="positive" label={t('profile.thisSession')} />
            ) : (
              mayCall(endpoints.user.forceLogout) && (
                <TextButton
                  text={t('profile.endSession')}
                  label={`${t('profile.endSession')} ${open.ip}`}
                  onClick={() => setEnding(open)}
                />
              )
            )}
          </li>
        ))}
      </ul>
      {own.length > 1 && mayCall(endpoints.user.endOwnSessions) && (
        <p>
          <Button danger onClick={() => setEnding('others')}>
            {t('profile.endOthers')}
          </Button>
        </p>
      )}
      {ending === 'others' && (
        <DecisionDialog
          title={t('profile.endOthers')}
          facts={[[t('profile.sessions'), String(own.length - 1)]]}
          consequence={t('profile.consequence.endOthers')}
          okText={t('profile.endOthers')}
          danger
          onConfirm={async () => {
            await send(endpoints.user.endOwnSessions, {}, t('profile.othersEnded'));
            return true;
          }}
          onClose={() => setEnding(undefined)}
        />
      )}
      {ending && ending !== 'others' && (
        <DecisionDialog
          title={t('profile.endSession')}
          facts={[
            ['IP', ending.ip],
            [t('profile.signedIn'), <Moment time={ending.createTime} exact />],
          ]}
          consequence={t('profile.consequence.endSession')}
          okText={t('profile.endSession')}
          danger
          onConfirm={async () => {
            await send(endpoints.user.forceLogout, { token: ending.token }, t('profile.sessionEnded'));
            return true;
          }}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Section>
  );
}
