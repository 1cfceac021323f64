import { DatePicker, Input, Select, Switch } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { businessDay } from '@sangam/contract/time.ts';
import type { DialogField } from './dialog-field.ts';

const TIME = 'YYYY-MM-DD HH:mm:ss';
const DAY = 'YYYY-MM-DD';

interface FormControlProps {
  readonly field: DialogField;
  /** Set by the form. */
  readonly id?: string;
  readonly value?: unknown;
  readonly checked?: boolean;
  readonly onChange?: (value: unknown) => void;
}

/** The input control of a field. */
export function FormControl({ field, id, value, checked, onChange }: FormControlProps) {
  const text = (value as string | undefined) ?? '';
  const common = { ...(id === undefined ? {} : { id }), autoComplete: 'off' };
  const onText = (event: { target: { value: string } }) => {
    onChange?.(event.target.value);
    field.onChange?.(event.target.value);
  };
  switch (field.kind) {
    case 'flag':
      return (
        <Switch
          {...(id === undefined ? {} : { id })}
          checked={checked ?? false}
          onChange={(flag) => onChange?.(flag)}
        />
      );
    case 'choice':
      return (
        <Select
          {...(id === undefined ? {} : { id })}
          value={value as string | number | undefined}
          options={[...field.options]}
          allowClear={!field.required}
          showSearch={
            field.onSearch ? { filterOption: false, onSearch: field.onSearch } : { optionFilterProp: 'label' }
          }
          onChange={(chosen: unknown) => {
            onChange?.(chosen);
            field.onChange?.(chosen);
          }}
        />
      );
    case 'choices':
      return (
        <Select
          {...(id === undefined ? {} : { id })}
          mode="multiple"
          value={value as (string | number)[] | undefined}
          options={[...field.options]}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={(chosen: unknown) => {
            onChange?.(chosen);
            field.onChange?.(chosen);
          }}
        />
      );
    case 'lines':
      return (
        <Input.TextArea
          {...common}
          value={text}
          maxLength={field.maxLength ?? 500}
          autoSize={{ minRows: 2, maxRows: 8 }}
          onChange={onText}
        />
      );
    case 'password':
      return (
        <Input.Password
          {...common}
          autoComplete="new-password"
          value={text}
          maxLength={128}
          onChange={onText}
        />
      );
    case 'day':
    case 'time': {
      const format = field.kind === 'day' ? DAY : TIME;
      return (
        <DatePicker
          {...(id === undefined ? {} : { id })}
          showTime={field.kind === 'time'}
          // antd's 'now' and 'today' are those of this machine; the wire uses business time.
          showNow={false}
          format={format}
          {...(field.kind === 'time' && field.notPast
            ? { disabledDate: (day: Dayjs) => day.format(DAY) < businessDay(new Date()) }
            : {})}
          value={text ? dayjs(text, format) : null}
          onChange={(moment: Dayjs | null) => {
            const chosen = moment?.format(format);
            onChange?.(chosen);
            field.onChange?.(chosen);
          }}
          style={{ width: '100%' }}
        />
      );
    }
    case 'money':
    case 'percent':
    case 'whole':
    case 'text':
      return (
        <Input
          {...common}
          value={text}
          spellCheck={false}
          maxLength={field.kind === 'text' ? (field.maxLength ?? 128) : 24}
          {...(field.kind === 'text' ? {} : { inputMode: 'decimal' as const, className: 'figures' })}
          suffix={suffixOf(field)}
          onChange={onText}
        />
      );
  }
}

/** The unit after a number. */
function suffixOf(field: DialogField): string | undefined {
  if (field.kind === 'money') return field.currency;
  if (field.kind === 'percent') return '%';
  return field.kind === 'whole' ? field.unit : undefined;
}
