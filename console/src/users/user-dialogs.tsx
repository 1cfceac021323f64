import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { ROLES } from '@sangam/contract/roles.ts';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useAccountField } from '../parties/account-field.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import type { InputOf } from '../http/call-types.ts';
import type { User, UserAction } from './user.ts';

interface DialogProps {
  readonly onClose: () => void;
}

function useUserFields(user?: User): readonly DialogField[] {
  const { t } = useTranslation();
  const name = useNames();
  const account = useAccountField(user?.account);
  return [
    { name: 'nickname', label: t('people.name'), kind: 'text', initial: user?.nickname, required: true },
    account,
    {
      name: user ? 'role' : 'access',
      label: t('profile.role'),
      kind: 'choice',
      options: ROLES.map((role) => ({ value: role, label: name('roles', role) })),
      initial: user?.role,
      required: true,
    },
  ];
}

export function NewUserDialog({ onClose }: DialogProps) {
  const { t } = useTranslation();
  const send = useSend(endpoints.admin.getUserList);
  return (
    <FormDialog
      title={t('users.add')}
      fields={useUserFields()}
      consequence={t('users.consequence.add')}
      okText={t('people.create')}
      onSubmit={async (values) => {
        await send(
          endpoints.admin.addUser,
          values as InputOf<typeof endpoints.admin.addUser>,
          t('people.saved'),
        );
      }}
      onClose={onClose}
    />
  );
}

interface UserDialogProps extends DialogProps {
  readonly user: User;
  readonly action: Exclude<UserAction, 'seeAs'>;
}

/** The dialogs for actions on a user. A secret or link is shown once. */
export function UserDialog({ user, action, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  const send = useSend(endpoints.admin.getUserList);
  const editing = useUserFields(user);
  const title = `${t(`users.actions.${action}`)} · ${user.account}`;
  const account = useAccountField(user.account);
  const newName: DialogField = { ...account, name: 'newAccountName', label: t('users.newAccount') };

  const submit = async (values: Readonly<Record<string, unknown>>) => {
    const done = t('people.saved');
    const { id, account } = user;
    switch (action) {
      case 'edit':
        await send(
          endpoints.admin.updateUser,
          { id, ...values } as InputOf<typeof endpoints.admin.updateUser>,
          done,
        );
        return;
      case 'payPassword':
        await send(endpoints.admin.resetPayPassword, { id }, done);
        return;
      case 'askGoogle':
      case 'dontAskGoogle':
        await send(
          endpoints.admin.enableGoogleVerify,
          { userId: id, enableGoogleVerify: action === 'askGoogle' },
          done,
        );
        return;
      case 'unbind':
        await send(endpoints.user.unbind, { userAccount: account }, done);
        return;
      case 'allow':
      case 'forbid':
        await send(endpoints.admin.setAllowModify, { userId: id, allowModify: action === 'allow' }, done);
        return;
      case 'repair':
        await send(
          endpoints.admin.repairUser,
          { userId: id, newAccountName: values['newAccountName'] as string },
          done,
        );
        return;
      case 'delete':
        await send(endpoints.admin.deleteUser, { id }, done);
        return;
    }
  };

  return (
    <FormDialog
      title={title}
      fields={action === 'edit' ? editing : action === 'repair' ? [newName] : []}
      consequence={t(`users.consequence.${action}`)}
      okText={t(`users.actions.${action}`)}
      danger={action === 'delete' || action === 'unbind'}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
