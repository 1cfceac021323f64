import {
  ArrowDownOutlined,
  ArrowUpOutlined,
  PushpinFilled,
  PushpinOutlined,
  SettingOutlined,
} from '@ant-design/icons';
import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './operator-table.module.css';
import { ToolPopover } from './tool-popover.tsx';
import type { TableChoices } from './table-choices.ts';

export function ColumnChooser<Row>({ choices }: { readonly choices: TableChoices<Row> }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const shownKeys = choices.shown.map(({ key }) => key);
  const move = (key: string, step: 1 | -1) => {
    const from = shownKeys.indexOf(key);
    const to = from + step;
    if (to < 0 || to >= shownKeys.length) return;
    const next = [...shownKeys];
    next.splice(from, 1);
    next.splice(to, 0, key);
    choices.choose(next);
  };
  const list = (
    <div className={styles['chooser']}>
      <ul>
        {choices.all.map((column) => {
          const shown = shownKeys.includes(column.key);
          return (
            <li key={column.key}>
              <Checkbox
                checked={shown}
                disabled={column.names ?? false}
                onChange={() =>
                  choices.choose(
                    shown ? shownKeys.filter((key) => key !== column.key) : [...shownKeys, column.key],
                  )
                }
              >
                {column.title}
              </Checkbox>
              {shown && !column.names && (
                <span className={styles['movers']}>
                  <Button
                    type="text"
                    size="small"
                    icon={choices.pinned.includes(column.key) ? <PushpinFilled /> : <PushpinOutlined />}
                    aria-label={t('list.pin', { label: column.title })}
                    aria-pressed={choices.pinned.includes(column.key)}
                    onClick={() => choices.togglePin(column.key)}
                  />
                  <Button
                    type="text"
                    size="small"
                    icon={<ArrowUpOutlined />}
                    aria-label={t('list.moveUp', { label: column.title })}
                    onClick={() => move(column.key, -1)}
                  />
                  <Button
                    type="text"
                    size="small"
                    icon={<ArrowDownOutlined />}
                    aria-label={t('list.moveDown', { label: column.title })}
                    onClick={() => move(column.key, 1)}
                  />
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <Button type="link" size="small" onClick={choices.reset}>
        {t('list.resetColumns')}
      </Button>
    </div>
  );
  return (
    <ToolPopover open={open} onOpen={setOpen} content={list}>
      <Button
        type="text"
        icon={<SettingOutlined />}
        aria-label={t('list.columns')}
        title={t('list.columns')}
      />
    </ToolPopover>
  );
}
