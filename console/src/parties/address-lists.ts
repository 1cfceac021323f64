import type { TFunction } from 'i18next';
import type { endpoints } from 'virtual:endpoints';
import type { DialogField } from '../dialogs/dialog-field.ts';
import type { OutputOf } from '../http/call-types.ts';

type Limits = OutputOf<typeof endpoints.merchant.getLimits>;

/** The lists of addresses that a merchant's calls and users may come from. */
export const ADDRESS_LISTS = ['payInIps', 'payoutIps', 'consoleIps'] as const;
type AddressList = (typeof ADDRESS_LISTS)[number];

/** One field per list, one address per line. */
export const addressFields = (t: TFunction, limits: Limits): readonly DialogField[] =>
  ADDRESS_LISTS.map((name) => ({
    name,
    label: t(`limits.${name}`),
    hint: t('limits.ipsHint'),
    kind: 'lines',
    maxLength: 5_000,
    initial: limits[name].join('\n'),
  }));

/** Splits text at lines, commas, semicolons and spaces. */
export const wordsOf = (text: unknown): string[] =>
  ((text as string | undefined) ?? '').split(/[\s,;]+/).filter(Boolean);

/** The lists from the typed values. */
export const addressesOf = (values: Readonly<Record<string, unknown>>): Record<AddressList, string[]> => ({
  payInIps: wordsOf(values['payInIps']),
  payoutIps: wordsOf(values['payoutIps']),
  consoleIps: wordsOf(values['consoleIps']),
});
