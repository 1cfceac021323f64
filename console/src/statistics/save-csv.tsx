import { DownloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { measuresOf } from '@sangam/contract/statistics.ts';
import { saveCsv } from '../dialogs/files.ts';
import { call } from '../http/client.ts';
import { useViewer } from '../session/viewer.ts';
import { csvFigure, csvRowText, csvUnit, type Row, type Total } from './figures.ts';
import type { AskedQuestion } from './use-question.ts';

interface SaveCsvProps {
  readonly title: string;
  readonly asked: AskedQuestion;
  readonly total: Total;
  readonly rows: readonly Row[];
}

/** Saves all rows of a currency, also those that are not shown. */
export function SaveCsv({ title, asked, total, rows }: SaveCsvProps) {
  const { t, i18n } = useTranslation();
  const { access } = useViewer();
  const measures = measuresOf(access, asked.direction);
  const save = async () => {
    const all =
      rows.length >= total.groups
        ? rows
        : (await call(endpoints.statistics.getTable, asked.input)).list.filter(
            ({ currency }) => currency === total.currency,
          );
    saveCsv(`${title} ${total.currency}`, [
      [
        t(`statistics.groupings.${asked.groupBy}`),
        ...measures.map(
          (name) => `${t(`statistics.measures.${name}.label`)}${csvUnit(name, total.currency)}`,
        ),
      ],
      ...[total, ...all].map((row) => [
        row === total ? t('statistics.total') : csvRowText(row, asked.groupBy, t, i18n.language),
        ...measures.map((name) => csvFigure(name, row.measures[name], total.currency)),
      ]),
    ]);
  };
  return (
    <Button icon={<DownloadOutlined aria-hidden />} onClick={() => void save()}>
      {t('statistics.csv')}
    </Button>
  );
}
