import { Input, Select, Tooltip } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FilterField } from './list-definition.ts';
import { typedFilter } from './list-state.ts';

const TYPING_MS = 500;

interface FieldProps {
  readonly field: FilterField;
  readonly value: string | undefined;
  readonly onChange: (text: string | undefined) => void;
  readonly width?: number | string;
}

/**
 * Typed text takes effect when the user stops typing, presses Enter or leaves the field. Invalid text is marked, and the list keeps
 * its previous filter.
 */
function TextField({ field, value, onChange, width }: FieldProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(value ?? '');
  const [unreadable, setUnreadable] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    setText(value ?? '');
    setUnreadable(false);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const commit = (next: string) => {
    clearTimeout(timer.current);
    const read = typedFilter(field, next);
    setUnreadable(read === undefined);
    if (read === undefined) return;
    if (read !== (value ?? '')) onChange(read || undefined);
  };
  return (
    <Tooltip title={unreadable ? t('list.unreadable') : ''} trigger={['hover', 'focus']}>
      <Input
        aria-label={field.label}
        placeholder={field.label}
        allowClear
        value={text}
        style={{ width }}
        inputMode={field.kind === 'text' ? 'text' : 'decimal'}
        {...(unreadable ? { status: 'error' as const, 'aria-invalid': true } : {})}
        onChange={(event) => {
          const next = event.target.value;
          setText(next);
          setUnreadable(false);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => commit(next), next === '' ? 0 : TYPING_MS);
        }}
        onPressEnter={() => commit(text)}
        onBlur={() => commit(text)}
      />
    </Tooltip>
  );
}

export function FilterControl({ field, value, onChange, width = 168 }: FieldProps) {
  if (!field.options) return <TextField field={field} value={value} onChange={onChange} width={width} />;
  const common = {
    'aria-label': field.label,
    placeholder: field.label,
    allowClear: true,
    style: { width },
    options: [...field.options],
    showSearch: field.options.length > 7 ? { optionFilterProp: 'label' } : false,
    popupMatchSelectWidth: false,
  };
  if (field.kind === 'choices') {
    return (
      <Select<string[]>
        {...common}
        mode="multiple"
        maxTagCount="responsive"
        value={value ? value.split(',') : []}
        onChange={(values) => onChange(values.length > 0 ? values.join(',') : undefined)}
      />
    );
  }
  return (
    <Select<string> {...common} value={value ?? null} onChange={(next) => onChange(next || undefined)} />
  );
}
