import { ColumnHeightOutlined, ReloadOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { ColumnChooser } from './column-chooser.tsx';
import type { TableChoices } from './table-choices.ts';

interface TableToolsProps<Row> {
  readonly choices: TableChoices<Row>;
  readonly loading: boolean;
  readonly onReload: () => void;
}

/** Buttons for reload, density and columns. */
export function TableTools<Row>({ choices, loading, onReload }: TableToolsProps<Row>) {
  const { t } = useTranslation();
  return (
    <>
      <Tooltip title={t('list.reloadHint')}>
        <Button
          type="text"
          icon={<ReloadOutlined spin={loading} />}
          aria-label={t('list.reload')}
          onClick={onReload}
        />
      </Tooltip>
      <Tooltip title={t('list.density')}>
        <Button
          type="text"
          icon={<ColumnHeightOutlined />}
          aria-label={t('list.density')}
          aria-pressed={choices.density === 'middle'}
          onClick={() => choices.setDensity(choices.density === 'small' ? 'middle' : 'small')}
        />
      </Tooltip>
      <ColumnChooser choices={choices} />
    </>
  );
}
