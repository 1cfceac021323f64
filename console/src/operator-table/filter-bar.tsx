import { FilterOutlined } from '@ant-design/icons';
import { Button, Tag } from 'antd';
import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsNarrow } from '../appearance/use-media.ts';
import { FilterControl } from './filter-field.tsx';
import type { FilterField } from './list-definition.ts';
import styles from './operator-table.module.css';
import { PeriodFilter } from './period-filter.tsx';
import { presetOf } from './period.ts';
import { ToolPopover } from './tool-popover.tsx';
import type { ListControl } from './use-list-state.ts';

interface FilterBarProps {
  readonly fields: readonly FilterField[];
  readonly control: ListControl;
  readonly searchRef: RefObject<HTMLDivElement | null>;
}

function useChipText(): (field: FilterField, value: string) => string {
  const { t } = useTranslation();
  return (field, value) => {
    if (field.kind === 'period') {
      const preset = presetOf(value);
      return preset ? t(`list.periods.${preset}`) : value.replace('~', ' – ');
    }
    const label = (part: string) => field.options?.find((option) => option.value === part)?.label ?? part;
    return value
      .split(field.kind === 'choices' ? ',' : '\0')
      .map(label)
      .join(', ');
  };
}

export function FilterBar({ fields, control, searchRef }: FilterBarProps) {
  const { t } = useTranslation();
  const [more, setMore] = useState(false);
  const narrow = useIsNarrow();
  const [unfolded, setUnfolded] = useState(false);
  const chipText = useChipText();
  const { filters } = control.state;
  const period = fields.find((field) => field.kind === 'period');
  const allPinned = fields.filter((field) => field.pinned && field !== period);
  // A narrow screen shows only the search field; a button shows the other filters, so that the rows have the room.
  const folded = narrow && !unfolded;
  const pinned = folded ? allPinned.slice(0, 1) : allPinned;
  const others = fields.filter((field) => !field.pinned && field !== period);
  const active = fields.filter((field) => filters[field.name] !== undefined);
  const hidden = others.filter((field) => filters[field.name] !== undefined).length;

  const rest = (
    <div className={styles['more']}>
      {others.map((field) => (
        <div key={field.name} className={styles['moreField']}>
          <span aria-hidden>{field.label}</span>
          <FilterControl
            field={field}
            width="100%"
            value={filters[field.name]}
            onChange={(text) => control.setFilter(field.name, text)}
          />
        </div>
      ))}
    </div>
  );

  return (
    <search className={styles['filters']} aria-label={t('list.filters')}>
      <div className={styles['filterRow']} ref={searchRef}>
        {pinned.map((field) => (
          <FilterControl
            key={field.name}
            field={field}
            value={filters[field.name]}
            onChange={(text) => control.setFilter(field.name, text)}
          />
        ))}
        {period && !folded && (
          <PeriodFilter
            label={period.label}
            presets={period.presets}
            value={filters[period.name]}
            onChange={(text) => control.setFilter(period.name, text)}
          />
        )}
        {others.length > 0 && !narrow && (
          <ToolPopover open={more} onOpen={setMore} content={rest}>
            <Button icon={<FilterOutlined aria-hidden />} aria-expanded={more}>
              {hidden > 0 ? t('list.moreSet', { count: hidden }) : t('list.more')}
            </Button>
          </ToolPopover>
        )}
        {/* A popover with this many fields would cover a phone's screen and still not fit. */}
        {others.length > 0 && narrow && !folded && rest}
        {narrow && (
          <Button
            icon={<FilterOutlined aria-hidden />}
            aria-expanded={unfolded}
            onClick={() => setUnfolded(!unfolded)}
          >
            {t('list.filters')}
          </Button>
        )}
      </div>
      {active.length > 0 && (
        <div className={styles['chips']}>
          {active.map((field) => (
            <Tag
              key={field.name}
              variant="outlined"
              closable={{ 'aria-label': t('list.removeFilter', { label: field.label }) }}
              onClose={(event) => {
                event.preventDefault();
                control.setFilter(field.name, undefined);
              }}
            >
              <span className={styles['chipLabel']}>{field.label}</span>{' '}
              {chipText(field, filters[field.name] ?? '')}
            </Tag>
          ))}
          <Button type="link" size="small" onClick={control.clearFilters}>
            {t('list.clearFilters')}
          </Button>
        </div>
      )}
    </search>
  );
}
