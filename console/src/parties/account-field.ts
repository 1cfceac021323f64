import { useTranslation } from 'react-i18next';
import type { DialogField } from '../dialogs/dialog-field.ts';

/** The field for the name that a user signs in with. */
export function useAccountField(initial?: string): DialogField {
  const { t } = useTranslation();
  return {
    name: 'account',
    label: t('people.account'),
    hint: t('people.accountHint'),
    kind: 'text',
    maxLength: 64,
    pattern: /^[A-Za-z0-9]{1,64}$/,
    invalid: t('people.accountHint'),
    initial,
    required: true,
  };
}
