import { DatePicker, Segmented } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useTranslation } from 'react-i18next';
import { ZONE } from '../figures/moment.tsx';
import styles from './operator-table.module.css';
import { periodTimes, presetOf, type PeriodPreset, USUAL_PRESETS } from './period.ts';

const WIRE = 'YYYY-MM-DD HH:mm:ss';

interface PeriodFilterProps {
  /** What the period is about, such as the creation of orders. */
  readonly label?: string;
  /** Absent: the presets of lists, and 'all', as far back as the list reads. */
  readonly presets?: readonly PeriodPreset[] | undefined;
  readonly value: string | undefined;
  readonly onChange: (text: string | undefined) => void;
}

/** Presets and a range, both in business time: the picker shows the server's wall clock, whatever zone this machine has. */
export function PeriodFilter({ label: given, presets, value, onChange }: PeriodFilterProps) {
  const { t } = useTranslation();
  const label = given ?? t('list.span');
  const preset = presetOf(value);
  const times = value === undefined || preset ? undefined : periodTimes(value, new Date());
  const range: [Dayjs, Dayjs] | null = times ? [dayjs(times.startTime), dayjs(times.endTime)] : null;
  return (
    <div className={styles['period']}>
      <Segmented<PeriodPreset | 'all' | 'range'>
        aria-label={label}
        value={preset ?? (value ? 'range' : (presets?.[0] ?? 'all'))}
        options={[
          ...(presets ?? USUAL_PRESETS).map((name) => ({ value: name, label: t(`list.periods.${name}`) })),
          ...(presets ? [] : [{ value: 'all' as const, label: t('list.periods.all') }]),
        ]}
        onChange={(next) => onChange(next === 'all' || next === 'range' ? undefined : next)}
      />
      <DatePicker.RangePicker
        aria-label={label}
        className={styles['range'] ?? ''}
        value={range}
        // Without this the picker takes the focus back from a user who tabs through it without choosing.
        allowEmpty={[true, true]}
        showTime={{ format: 'HH:mm', defaultValue: [dayjs().startOf('day'), dayjs().endOf('day')] }}
        format="MM-DD HH:mm"
        placeholder={[t('list.from'), t('list.to')]}
        onChange={(picked) => {
          const [from, to] = picked ?? [];
          onChange(from && to ? `${from.format(WIRE)}~${to.format(WIRE)}` : undefined);
        }}
      />
      <span className={styles['zone']} title="Asia/Kolkata, UTC+5:30">
        {ZONE}
      </span>
    </div>
  );
}
