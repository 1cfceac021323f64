import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { ROLES } from '@sangam/contract/roles.ts';
import { SeeAsDialog } from '../dialogs/see-as-dialog.tsx';
import { AuditLink } from '../figures/audit-link.tsx';
import { Moment } from '../figures/moment.tsx';
import { Status } from '../figures/status.tsx';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../http/call-types.ts';
import type { ListDefinition } from '../operator-table/list-definition.ts';
import { ListScreen } from '../operator-table/list-screen.tsx';
import type { PageProps } from '../navigation/page-props.ts';
import { useMayCall } from '../session/may-call.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { type User, type UserAction, userActionsOf } from './user.ts';
import { NewUserDialog, UserDialog } from './user-dialogs.tsx';

type UserCall = typeof endpoints.admin.getUserList;

/** All users who may sign in. */
export function UsersScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const mayCall = useMayCall();
  const [asked, setAsked] = useState<'new' | { readonly user: User; readonly action: UserAction }>();
  const close = () => setAsked(undefined);
  const definition: ListDefinition<User, InputOf<UserCall>> = {
    name: 'users',
    title: title(screen),
    call: endpoints.admin.getUserList,
    keyOf: (user) => user.id,
    emptyText: t('users.none'),
    waiting: { about: { kind: 'userAccess' } },
    tools: mayCall(endpoints.admin.addUser) && (
      <Button onClick={() => setAsked('new')}>{t('users.add')}</Button>
    ),
    filters: [
      { name: 'account', param: 'q', kind: 'text', label: t('people.nameOrAccount'), pinned: true },
      {
        name: 'role',
        param: 'r',
        kind: 'choice',
        label: t('profile.role'),
        pinned: true,
        values: ROLES,
        options: ROLES.map((role) => ({ value: role, label: name('roles', role) })),
      },
      {
        name: 'includeDeleted',
        param: 'd',
        kind: 'choice',
        label: t('users.deletedToo'),
        values: ['true'],
        options: [{ value: 'true', label: t('users.deletedToo') }],
      },
    ],
    columns: [
      { key: 'account', title: t('people.account'), names: true, render: (user) => user.account },
      { key: 'nickname', title: t('people.name'), render: (user) => user.nickname },
      {
        key: 'role',
        words: 'roles',
        title: t('profile.role'),
        render: (user) =>
          user.partyRole === null
            ? name('roles', user.role)
            : `${name('roles', user.role)} · ${name('partyRoles', user.partyRole)}`,
      },
      {
        key: 'confirmBind',
        title: t('profile.authenticator'),
        render: (user) => (
          <Status
            tone={!user.enableGoogleVerify ? 'quiet' : user.confirmBind ? 'positive' : 'warning'}
            label={
              user.enableGoogleVerify
                ? t(user.confirmBind ? 'profile.bound' : 'profile.unbound')
                : t('users.notAsked')
            }
          />
        ),
      },
      {
        key: 'hasPayPassword',
        title: t('profile.payPassword'),
        render: (user) => t(user.hasPayPassword ? 'users.issued' : 'users.notIssued'),
      },
      {
        key: 'allowModify',
        title: t('users.ownChanges'),
        render: (user) => t(user.allowModify ? 'users.allowed' : 'users.notAllowed'),
      },
      {
        key: 'audit',
        title: t('audit.title'),
        optional: true,
        parts: [],
        render: (user) => <AuditLink subject={`user:${user.account}`} />,
      },
      {
        key: 'createTime',
        title: t('people.createTime'),
        render: (user) => <Moment time={user.createTime} />,
      },
      {
        key: 'deletedTime',
        title: t('users.deleted'),
        optional: true,
        render: (user) => <Moment time={user.deletedTime} />,
      },
    ],
    actionsOf: (user) =>
      userActionsOf(user, mayCall).map((action) => ({
        key: action,
        label: action === 'seeAs' ? t('seeAs.action') : t(`users.actions.${action}`),
        run: () => setAsked({ user, action }),
      })),
  };
  return (
    <>
      <ListScreen definition={definition} />
      {asked === 'new' && <NewUserDialog onClose={close} />}
      {typeof asked === 'object' &&
        (asked.action === 'seeAs' ? (
          <SeeAsDialog user={{ account: asked.user.account, role: asked.user.role }} onClose={close} />
        ) : (
          <UserDialog user={asked.user} action={asked.action} onClose={close} />
        ))}
    </>
  );
}
