import { useTranslation } from 'react-i18next';
import { CURRENCIES, type Currency } from '@sangam/contract/money.ts';
import type { SOURCE_GROUPS } from '@sangam/contract/order-source.ts';

export type SourceGroup = (typeof SOURCE_GROUPS)[number];

/** Names a value of one dimension of the order sources. */
export function useSourceNames(): (
  by: SourceGroup,
  row: { value: string; name: string; currency: Currency },
) => string {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  return (by, { value, name, currency }) => {
    if (by === 'hour')
      return t('source.hourOf', { from: value, to: String((Number(value) + 1) % 24).padStart(2, '0') });
    if (by === 'band') return bandText(Number(value), currency, number);
    if (value === 'notOpened') return t('source.notOpened');
    if (by === 'referrer' && value === 'none') return t('source.noReferrer');
    if (by === 'device') return t(`source.deviceOf.${value as 'phone' | 'tablet' | 'desktop'}`);
    return name === '' ? t('source.unknown') : name;
  };
}

/** `1,000 – 2,000`: amount bands begin at 1, 2 and 5 times a power of ten. */
function bandText(low: number, currency: Currency, number: Intl.NumberFormat): string {
  const unit = 10 ** CURRENCIES[currency];
  if (low === 0) return `< ${number.format(1)}`;
  const from = low / unit;
  const isTwo = String(from).startsWith('2');
  return `${number.format(from)} – ${number.format(isTwo ? from * 2.5 : from * 2)}`;
}
