import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { PARTY_ROLES, type PartyRole } from '@sangam/contract/party-roles.ts';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import type { InputOf, OutputOf } from '../http/call-types.ts';
import { useSend } from '../http/use-send.ts';
import { useAccountField } from '../parties/account-field.ts';
import { useNames } from '../language/names.ts';

export type PartyUser = OutputOf<typeof endpoints.partyUser.getPartyUsers>['list'][number];
export type PartyUserAction = 'role' | 'passwords' | 'unbound' | 'remove';

interface PartyUserDialogProps {
  /** Absent: a new user is invited. */
  readonly user?: PartyUser;
  readonly action?: PartyUserAction;
  readonly onClose: () => void;
}

/** Invites another user of the party, or changes one. */
export function PartyUserDialog({ user, action = 'role', onClose }: PartyUserDialogProps) {
  const { t } = useTranslation();
  const send = useSend(endpoints.partyUser.getPartyUsers, endpoints.todo.getStarted);
  const account = useAccountField();
  const role = useRoleField(user?.partyRole);
  const invitation: readonly DialogField[] = [
    { name: 'nickname', label: t('people.name'), kind: 'text', maxLength: 128, required: true },
    account,
    role,
  ];
  const what = user ? action : 'invite';
  const okText = t(user ? `partyUsers.actions.${action}` : 'partyUsers.invite');

  const submit = async (values: Readonly<Record<string, unknown>>) => {
    const done = t('people.saved');
    if (!user) {
      const input = values as InputOf<typeof endpoints.partyUser.invitePartyUser>;
      await send(endpoints.partyUser.invitePartyUser, input, done);
      return;
    }
    const userId = user.id;
    if (action === 'role') {
      const partyRole = values['partyRole'] as PartyRole;
      await send(endpoints.partyUser.setPartyRole, { userId, partyRole }, done);
    } else if (action === 'remove') await send(endpoints.partyUser.removePartyUser, { userId }, done);
    else await send(endpoints.partyUser.resetPartyUser, { userId, what: action }, done);
  };

  return (
    <FormDialog
      title={user ? `${okText} · ${user.account}` : okText}
      fields={user ? (action === 'role' ? [role] : []) : invitation}
      consequence={t(`partyUsers.consequence.${what}`)}
      okText={okText}
      danger={what === 'remove' || what === 'unbound'}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}

function useRoleField(initial: PartyRole | undefined): DialogField {
  const { t } = useTranslation();
  const name = useNames();
  return {
    name: 'partyRole',
    label: t('profile.role'),
    hint: t('partyUsers.roleHint'),
    kind: 'choice',
    options: PARTY_ROLES.map((role) => ({ value: role, label: name('partyRoles', role) })),
    initial,
    required: true,
  };
}
