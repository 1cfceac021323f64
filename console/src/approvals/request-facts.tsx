import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Currency } from '@sangam/contract/money.ts';
import type { CopiedTerms as Copied } from '@sangam/contract/endpoints/terms.ts';
import type { Fact } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import {
  isMoney,
  NAMED,
  percentText,
  RATES,
  settingName,
  settingOf,
  settingText,
} from '../figures/record-values.ts';
import { useNames } from '../language/names.ts';
import styles from './approvals.module.css';
import { CopiedTerms } from './copied-terms.tsx';
import { fieldTextKey, filterValue, namesOfFilter } from './list-words.ts';
import { BEFORE, ruleWords } from './request-fields.ts';
import { TemplateChange } from './template-change.tsx';

type Fields = Readonly<Record<string, unknown>>;

/** The fields a request or its outcome carries, named and formatted; those this build does not know as they are. */
export function useRequestFacts(): (fields: Fields, currency: Currency | null) => Fact[] {
  const { t } = useTranslation();
  const name = useNames();
  return factsOf;

  function factsOf(fields: Fields, currency: Currency | null): Fact[] {
    const setting = settingOf(name, fields);
    const shownHere = (key: string, value: unknown) =>
      setting !== undefined && (key === 'value' || key === 'before')
        ? settingText(name, setting, value)
        : shown(key, value, currency);
    return Object.entries(fields)
      .filter(([key, value]) => value !== null && value !== undefined && !isBefore(fields, key))
      .map(([key, value]) => {
        if (key === 'template') return [name('approvalFields', key), templateChange(value, fields)] as const;
        const before = fields[BEFORE[key] ?? ''];
        const now =
          typeof fields['table'] === 'string' ? ofExport(fields['table'], key, value) : shownHere(key, value);
        return [
          name('approvalFields', key),
          before === undefined ? now : changed(before === null ? '–' : shownHere(key, before), now),
        ] as const;
      });
  }

  function shown(key: string, value: unknown, currency: Currency | null): ReactNode {
    if (isMoney(key, value) && currency) return <Money minor={Number(value)} currency={currency} />;
    if (RATES.has(key) && typeof value === 'number') return percentText(value);
    if (key === 'terms') return <CopiedTerms terms={value as Copied['terms']} />;
    if ((key === 'rule' || key === 'ruleBefore') && typeof value === 'string') return ruleWords(name, value);
    if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
      return value.map((each) => word(key, String(each))).join(', ') || '–';
    if (typeof value === 'boolean') return value ? '✓' : '–';
    if (typeof value === 'string' || typeof value === 'number') return word(key, String(value));
    return nested(Array.isArray(value) ? (value as Fields[]) : [value as Fields]);
  }

  /** A value in the reader's language, where it is one of few. */
  function word(key: string, value: string): string {
    const group = NAMED[key];
    return group ? name(group, value) : key === 'name' ? settingName(name, value) : value;
  }

  /** What a field holds that has fields of its own. */
  function nested(values: readonly Fields[]): ReactNode {
    return (
      <ul className={styles['terms']}>
        {values.map((fields) => (
          <li key={JSON.stringify(fields)}>
            {factsOf(fields, (fields['currency'] as Currency | undefined) ?? null).map(
              (fact) =>
                fact && (
                  <span key={fact[0]}>
                    {`${fact[0]}: `}
                    {fact[1]}
                  </span>
                ),
            )}
          </li>
        ))}
      </ul>
    );
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

function templateChange(now: unknown, { templateBefore }: Fields) {
  type Template = ComponentProps<typeof TemplateChange>['now'];
  return <TemplateChange now={now as Template} before={(templateBefore ?? null) as Template | null} />;
}

/** Shown with the field that it was before, where the request carries both. */
const isBefore = (fields: Fields, key: string) =>
  Object.entries(BEFORE).some(([now, before]) => before === key && (fields[now] ?? null) !== null);

const changed = (before: ReactNode, now: ReactNode) => (
  <>
    {before} → <strong>{now}</strong>
  </>
);
