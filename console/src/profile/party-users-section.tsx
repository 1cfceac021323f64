import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { PopupMenu } from '../dialogs/popup-menu.tsx';
import { Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import { useMayCall } from '../session/may-call.ts';
import { useViewer } from '../session/viewer.ts';
import { PartyUserDialog, type PartyUser, type PartyUserAction } from './party-user-dialogs.tsx';
import styles from './profile.module.css';

const ACTIONS: readonly PartyUserAction[] = ['role', 'passwords', 'unbound', 'remove'];

/** The users of the viewer's merchant or supplier. Its owners invite, change and remove them. */
export function PartyUsersSection() {
  const { t } = useTranslation();
  const name = useNames();
  const mayCall = useMayCall();
  const { user_id: ownId } = useViewer();
  const { data } = useCall(endpoints.partyUser.getPartyUsers, {});
  const [asked, setAsked] = useState<
    'invite' | { readonly user: PartyUser; readonly action: PartyUserAction }
  >();
  const close = () => setAsked(undefined);
  const mayManage = mayCall(endpoints.partyUser.invitePartyUser);
  if (!data) return null;
  return (
    <Section
      title={t('partyUsers.title')}
      count={data.list.length}
      extra={mayManage && <Button onClick={() => setAsked('invite')}>{t('partyUsers.invite')}</Button>}
    >
      <ul className={styles['rows']}>
        {data.list.map((user) => (
          <li key={user.id}>
            <span>
              {user.nickname}
              <small>{user.account}</small>
            </span>
            <span>{name('partyRoles', user.partyRole)}</span>
            <State user={user} />
            {mayManage && !user.isFirst && user.id !== ownId && (
              <PopupMenu
                menu={{
                  items: ACTIONS.map((action) => ({
                    key: action,
                    label: t(`partyUsers.actions.${action}`),
                    danger: action === 'remove',
                  })),
                  onClick: ({ key }) => setAsked({ user, action: key as PartyUserAction }),
                }}
              >
                <Button aria-label={`${t('partyUsers.change')} ${user.account}`}>
                  {t('partyUsers.change')}
                </Button>
              </PopupMenu>
            )}
          </li>
        ))}
      </ul>
      {asked === 'invite' && <PartyUserDialog onClose={close} />}
      {asked && asked !== 'invite' && <PartyUserDialog {...asked} onClose={close} />}
    </Section>
  );
}

/** Whether the user can sign in yet, and its last sign-in. */
function State({ user }: { readonly user: PartyUser }) {
  const { t } = useTranslation();
  if (user.waits) return <Status tone="warning" label={t('partyUsers.waits')} />;
  if (!user.hasPassword) return <Status tone="quiet" label={t('partyUsers.noPassword')} />;
  if (user.lastSignInTime === null) return <span>{t('partyUsers.neverSignedIn')}</span>;
  return (
    <span>
      <Moment time={user.lastSignInTime} />
    </span>
  );
}
