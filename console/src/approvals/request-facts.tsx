import { Fragment, type ComponentProps, type ReactNode } from 'react';
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
import { productLabel } from '../language/product-label.ts';
import styles from './approvals.module.css';
import { CopiedTerms } from './copied-terms.tsx';
import { fieldTextKey, filterValue, namesOfFilter } from './list-words.ts';
import { changesOf, decidedFields, ruleWords } from './request-fields.ts';
import { TemplateChange } from './template-change.tsx';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a request or its outcome, named and formatted. A field this build does not know is shown unformatted. */
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
    return changesOf(decidedFields(fields)).map(({ key, now, before }) => {
      const label = name('approvalFields', key);
      if (key === 'template') return [label, templateChange(now, fields)] as const;
      if (typeof fields['table'] === 'string') return [label, ofExport(fields['table'], key, now)] as const;
      if (Array.isArray(now) && Array.isArray(before)) return [label, listChanged(key, before, now)] as const;
      const after = now === null ? '–' : shownHere(key, now);
      return [
        label,
        before === undefined ? after : changed(before === null ? '–' : shownHere(key, before), after),
      ] as const;
    });
  }

  function shown(key: string, value: unknown, currency: Currency | null): ReactNode {
    if (isMoney(key, value) && currency) return <Money minor={Number(value)} currency={currency} />;
    if (RATES.has(key) && typeof value === 'number') return percentText(value);
    // Only the count is shown; the contradictions themselves stand in the order's history.
    if (key === 'contradictions' && Array.isArray(value)) return value.length;
    if (key === 'terms') return <CopiedTerms terms={value as Copied['terms']} />;
    if ((key === 'rule' || key === 'ruleBefore') && typeof value === 'string') return ruleWords(name, value);
    if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
      return value.map((each) => word(key, String(each))).join(', ') || '–';
    if (typeof value === 'boolean') return value ? '✓' : '–';
    if (typeof value === 'string' || typeof value === 'number') return word(key, String(value));
    return nested(Array.isArray(value) ? (value as Fields[]) : [value as Fields]);
  }

  /** A value that is one of a known few, in the reader's language. */
  function word(key: string, value: string): string {
    if (key === 'productId') return `${value} ${productLabel(name, Number(value), '')}`.trim();
    const group = NAMED[key];
    return group ? name(group, value) : key === 'name' ? settingName(name, value) : value;
  }

  /** A list with the removed entries struck through and the added ones in bold. */
  function listChanged(key: string, before: readonly unknown[], now: readonly unknown[]): ReactNode {
    const all = [...new Set([...before, ...now])];
    return all.map((each, index) => {
      const text = word(key, String(each));
      const Mark = now.includes(each) ? (before.includes(each) ? 'span' : 'strong') : 'del';
      return (
        <Fragment key={text}>
          {index > 0 && ', '}
          <Mark>{text}</Mark>
        </Fragment>
      );
    });
  }

  /** A value that has fields of its own. */
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

  /** A field of an export request: list, filters and columns, named as on the list's own screen, in the reader's language. */
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

const changed = (before: ReactNode, now: ReactNode) => (
  <>
    {before} → <strong>{now}</strong>
  </>
);
