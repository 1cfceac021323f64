import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Currency } from '@sangam/contract/money.ts';
import type { CopiedTerms as Copied } from '@sangam/contract/endpoints/terms.ts';
import type { Fact } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { isParts, partsText } from '../figures/parts-text.ts';
import { useNames } from '../language/names.ts';
import { CopiedTerms } from './copied-terms.tsx';
import { fieldTextKey, filterValue, namesOfFilter } from './list-words.ts';
import { BEFORE, MONEY, percentText, RATES } from './request-fields.ts';
import { TemplateChange } from './template-change.tsx';

/** The fields a request or its outcome carries, named and formatted; those this build does not know as they are. */
export function useRequestFacts(): (
  fields: Readonly<Record<string, unknown>>,
  currency: Currency | null,
) => Fact[] {
  const { t } = useTranslation();
  const name = useNames();
  return (fields, currency) =>
    Object.entries(fields)
      .filter(([key, value]) => value !== null && value !== undefined && !isBefore(fields, key))
      .map(([key, value]) => {
        if (key === 'template') return [name('approvalFields', key), templateChange(value, fields)] as const;
        const before = fields[BEFORE[key] ?? ''] ?? undefined;
        const now =
          typeof fields['table'] === 'string'
            ? ofExport(fields['table'], key, value)
            : shown(key, value, currency);
        return [
          name('approvalFields', key),
          before === undefined ? now : changed(shown(key, before, currency), now),
        ] as const;
      });

  function shown(key: string, value: unknown, currency: Currency | null) {
    if (MONEY.has(key) && typeof value === 'number' && currency)
      return <Money minor={value} currency={currency} />;
    if (RATES.has(key) && typeof value === 'number') return percentText(value);
    if (key === 'terms') return <CopiedTerms terms={value as Copied['terms']} />;
    if (key === 'userChange') return name('userChanges', String(value));
    if (key === 'role') return name('roles', String(value));
    if (key === 'partyRole') return name('partyRoles', String(value));
    if (key === 'bucket') return name('buckets', String(value));
    if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
      return (
        value.map((each) => (key === 'kinds' ? name('alertKinds', String(each)) : each)).join(', ') || '–'
      );
    if (typeof value === 'boolean') return value ? '✓' : '–';
    if (isParts(value)) return partsText(value);
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  /** Of an export: list, filters and columns in the words of the list's own screen, whatever language it was asked for in. */
  function ofExport(list: string, key: string, value: unknown): ReactNode {
    const fieldText = (field: string) => {
      const text = fieldTextKey(list, field);
      return text ? t(text) : field.toUpperCase();
    };
    if (key === 'table') return name('personalLists', list.replace('/v1.0/', ''));
    if (key === 'columns') return (value as readonly string[]).map(fieldText).join(', ');
    if (key !== 'filters') return shown(key, value, null);
    const filters = Object.entries(value as object).map(([field, each]) => {
      const group = namesOfFilter(list, field);
      const words = group
        ? String(each)
            .split(',')
            .map((one) => name(group, one))
            .join(', ')
        : filterValue(field, each);
      return `${fieldText(field)}: ${words}`;
    });
    return filters.join(' · ') || '–';
  }
}

function templateChange(now: unknown, { templateBefore }: Readonly<Record<string, unknown>>) {
  type Template = ComponentProps<typeof TemplateChange>['now'];
  return <TemplateChange now={now as Template} before={(templateBefore ?? null) as Template | null} />;
}

/** Shown with the field that it was before, where the request carries both. */
const isBefore = (fields: Readonly<Record<string, unknown>>, key: string) =>
  Object.entries(BEFORE).some(([now, before]) => before === key && (fields[now] ?? null) !== null);

const changed = (before: ReactNode, now: ReactNode) => (
  <>
    {before} → <strong>{now}</strong>
  </>
);
