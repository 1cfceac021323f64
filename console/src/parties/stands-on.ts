import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { useCall } from '../http/use-call.ts';
import { useAccountField } from './account-field.ts';

/** The fields for the user that a new merchant or supplier signs in as: an existing free user, or a new one. */
export function useStandsOn(role: 'merchant' | 'supplier'): readonly DialogField[] {
  const { t } = useTranslation();
  const { data } = useCall(endpoints.admin.getUnusedUserOptions, { role });
  const account = useAccountField();
  const free = data?.list ?? [];
  const isNew = (typed: Readonly<Record<string, unknown>>) => !typed['userId'];
  return [
    { name: 'name', label: t('people.name'), kind: 'text', required: true },
    ...(free.length > 0
      ? [
          {
            name: 'userId',
            label: t('people.freeUser'),
            hint: t('people.freeUserHint'),
            kind: 'choice' as const,
            options: free.map((user) => ({ value: user.id, label: `${user.account} · ${user.name}` })),
          },
        ]
      : []),
    { ...account, when: isNew },
  ];
}
