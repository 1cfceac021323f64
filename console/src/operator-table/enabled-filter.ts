import { useTranslation } from 'react-i18next';
import type { FilterField } from './list-definition.ts';

/** A filter for users and parties that can be switched off: 1 means enabled. */
export function useEnabledFilter(): FilterField<'enabled'> {
  const { t } = useTranslation();
  return {
    name: 'enabled',
    param: 'e',
    kind: 'choice',
    label: t('people.state'),
    pinned: true,
    values: ['1', '0'],
    options: [
      { value: '1', label: t('people.enabled') },
      { value: '0', label: t('people.disabled') },
    ],
  };
}
