import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { ROLES, STAFF, type Role } from '@sangam/contract/roles.ts';
import { call } from '../http/client.ts';
import type { InputOf } from '../http/call-types.ts';
import { useNames } from '../language/names.ts';
import { session } from '../session/session.ts';
import { useViewer } from '../session/viewer.ts';
import { FormDialog } from './form-dialog.tsx';

interface SeeAsDialogProps {
  /** The user to see as. Without one, the dialog asks for role and account. */
  readonly user?: { readonly account: string; readonly role: Role };
  readonly onClose: () => void;
}

/** Shows the console in this window as a role or another user sees it. */
export function SeeAsDialog({ user, onClose }: SeeAsDialogProps) {
  const { t } = useTranslation();
  const name = useNames();
  const { access } = useViewer();
  const roles = ROLES.filter((role) => access === 'superAdmin' || role !== 'superAdmin');
  return (
    <FormDialog
      title={user ? `${t('seeAs.title')} · ${user.account}` : t('seeAs.title')}
      fields={[
        ...(user
          ? []
          : ([
              {
                name: 'role',
                label: t('profile.role'),
                kind: 'choice',
                options: roles.map((role) => ({ value: role, label: name('roles', role) })),
                initial: STAFF.find((role) => role === 'customerService'),
                required: true,
              },
              {
                name: 'account',
                label: t('seeAs.account'),
                hint: t('seeAs.accountHint'),
                kind: 'text',
                maxLength: 64,
              },
            ] as const)),
        { name: 'reason', label: t('fund.reason'), kind: 'text', maxLength: 256, required: true },
      ]}
      consequence={t('seeAs.consequence')}
      okText={t('seeAs.ok')}
      onSubmit={async (values) => {
        const input = { ...user, ...values } as InputOf<typeof endpoints.user.seeAs>;
        const { token } = await call(endpoints.user.seeAs, input);
        session.beginSeeing(token);
        // A full page load, so that nothing of the own user stays in this window's memory.
        location.assign('/home');
      }}
      onClose={onClose}
    />
  );
}
