import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { screenAt } from '@sangam/contract/screens.ts';
import { ROLES } from '@sangam/contract/roles.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { useMayCall } from '../session/may-call.ts';

type UsersCall = typeof endpoints.user.getLoggedUsers;
type Session = RowOf<UsersCall>;

type Ending = { readonly which: 'one' | 'user'; readonly session: Session } | { readonly which: 'all' };

/** How many screens of a session are named; of the others only the number is shown. */
const SCREENS_SHOWN = 5;

/** Who is signed in, and from where. Sessions can be ended one by one, for one user, or all except the viewer's own. */
export function OnlineUsersScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const mayCall = useMayCall();
  const [ending, setEnding] = useState<Ending>();
  const mayEnd = mayCall(endpoints.user.endSessions);
  const definition: ListDefinition<Session, InputOf<UsersCall>> = {
    name: 'onlineUsers',
    title: title(screen),
    call: endpoints.user.getLoggedUsers,
    keyOf: (session) => session.token,
    emptyText: t('onlineUsers.none'),
    tools: mayEnd && (
      <Button danger onClick={() => setEnding({ which: 'all' })}>
        {t('onlineUsers.end.all')}
      </Button>
    ),
    filters: [
      { name: 'account', param: 'q', kind: 'text', label: t('people.account'), pinned: true },
      {
        name: 'role',
        param: 'r',
        kind: 'choice',
        label: t('profile.role'),
        pinned: true,
        values: ROLES,
        options: ROLES.map((role) => ({ value: role, label: name('roles', role) })),
      },
      { name: 'ip', param: 'ip', kind: 'text', label: 'IP' },
    ],
    columns: [
      {
        key: 'account',
        title: t('people.account'),
        names: true,
        render: (session) =>
          session.seesAs === null
            ? session.account
            : `${session.account} · ${t('onlineUsers.seesAs', { who: name('roles', session.seesAs) })}`,
      },
      { key: 'nickname', title: t('people.name'), render: (session) => session.nickname },
      { key: 'role', words: 'roles', title: t('profile.role'), render: ({ role }) => name('roles', role) },
      { key: 'ip', title: 'IP', render: (session) => session.ip },
      { key: 'userAgent', title: t('errorLog.browser'), width: 280, render: ({ userAgent }) => userAgent },
      {
        key: 'createTime',
        title: t('onlineUsers.since'),
        render: (session) => <Moment time={session.createTime} />,
      },
      {
        key: 'lastSeenTime',
        title: t('onlineUsers.lastSeen'),
        render: (session) => <Moment time={session.lastSeenTime} />,
      },
      {
        key: 'screens',
        title: t('onlineUsers.screens'),
        width: 280,
        render: ({ screens }) => {
          const titles = [...new Set(screens)].flatMap((path) => screenAt(path) ?? []).map(title);
          const [first, more] = [titles.slice(0, SCREENS_SHOWN), titles.slice(SCREENS_SHOWN)];
          if (more.length > 0) first.push(`+${more.length}`);
          return <span title={more.join(' · ')}>{first.join(' · ') || '–'}</span>;
        },
      },
      {
        key: 'seesAs',
        title: t('onlineUsers.seesAsTitle'),
        optional: true,
        render: ({ seesAs }) => (seesAs === null ? '–' : name('roles', seesAs)),
      },
      {
        key: 'current',
        title: t('onlineUsers.current'),
        render: ({ current }) => current && <Status tone="positive" label={t('onlineUsers.yours')} />,
      },
    ],
    actionsOf: (session) =>
      !mayEnd || session.current
        ? []
        : (['one', 'user'] as const).map((which) => ({
            key: which,
            label: t(`onlineUsers.end.${which}`),
            run: () => setEnding({ which, session }),
          })),
  };
  return (
    <>
      <ListScreen definition={definition} />
      {ending && <EndDialog ending={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function EndDialog({ ending, onClose }: { readonly ending: Ending; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const send = useSend(endpoints.user.getLoggedUsers);
  const title = t(`onlineUsers.end.${ending.which}`);
  return (
    <FormDialog
      title={ending.which === 'all' ? title : `${title} · ${ending.session.account}`}
      fields={[{ name: 'reason', label: t('fund.reason'), kind: 'text', maxLength: 256, required: true }]}
      consequence={t(`onlineUsers.consequence.${ending.which}`)}
      okText={title}
      danger
      onSubmit={async (typed) => {
        const reason = String(typed['reason']);
        const done = t('onlineUsers.done');
        if (ending.which === 'one') {
          await send(endpoints.user.forceLogout, { token: ending.session.token, reason }, done);
        } else {
          const of = ending.which === 'user' ? { userId: ending.session.userId } : {};
          await send(endpoints.user.endSessions, { ...of, reason }, done);
        }
      }}
      onClose={onClose}
    />
  );
}
