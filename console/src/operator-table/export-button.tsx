import { DownloadOutlined, FileExcelOutlined } from '@ant-design/icons';
import { App, Button, Tooltip } from 'antd';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { CODES } from '@sangam/contract/codes.ts';
import type { ExportColumn } from '@sangam/contract/endpoints/list.ts';
import { CallError, isHandled } from '../http/call-error.ts';
import { bytesText } from '../figures/span.ts';
import { downloadTable, type TableProgress } from '../http/download-table.ts';
import type { ListColumn } from './list-definition.ts';
import { Progress } from './progress.tsx';

interface ExportButtonProps<Row> {
  readonly title: string;
  /** Path of the list call. */
  readonly list: string;
  readonly filters: object;
  readonly columns: readonly ListColumn<Row>[];
}

const SAVED_SECONDS = 8;

/**
 * Exports all rows that match the filters, in the columns shown. The export continues when the user leaves the page: a notification
 * of the shell shows its progress and a button to stop it.
 */
export function ExportButton<Row>({ title, list, filters, columns }: ExportButtonProps<Row>) {
  const { t, i18n } = useTranslation();
  const { notification } = App.useApp();
  const number = new Intl.NumberFormat(i18n.language);

  const start = async (format: 'csv' | 'xlsx') => {
    const key = `export-${performance.now()}`;
    const control = new AbortController();
    const show = ({ bytes, rows, total }: TableProgress) =>
      notification.open({
        key,
        title: t('export.running', { title }),
        description: (
          <>
            {rows !== undefined && total !== undefined && total > 0 && (
              <Progress
                percent={Math.min(100, Math.floor((rows / total) * 100))}
                aria-label={t('export.progress')}
              />
            )}
            <span className="figures">
              {rows === undefined
                ? bytesText(bytes)
                : t('export.rows', { count: rows, rows: number.format(rows) })}
            </span>
          </>
        ),
        actions: (
          <Button size="small" onClick={() => control.abort()}>
            {t('export.cancel')}
          </Button>
        ),
        duration: false,
        closable: false,
      });
    show({ bytes: 0, rows: undefined, total: undefined });
    try {
      const file = await downloadTable(
        endpoints.list.exportList,
        {
          format,
          list,
          filters: JSON.stringify(filters),
          columns: JSON.stringify(columns.flatMap(wanted)),
        } as never,
        throttled(show),
        control.signal,
      );
      save(file.content, file.name);
      notification.success({
        key,
        title: t('export.done', { title }),
        description:
          file.rows === undefined
            ? file.name
            : t('export.saved', { count: file.rows, rows: number.format(file.rows), name: file.name }),
        actions: null,
        duration: SAVED_SECONDS,
        closable: true,
      });
    } catch (error) {
      if (control.signal.aborted || isHandled(error)) {
        notification.info({
          key,
          title: t('export.cancelled', { title }),
          description: null,
          actions: null,
          duration: 4,
          closable: true,
        });
        return;
      }
      if (error instanceof CallError && error.code === CODES.approvalNeeded.code) {
        notification.info({
          key,
          title: t('export.waits', { title }),
          description: t('export.waitsNext'),
          actions: null,
          duration: false,
          closable: true,
        });
        return;
      }
      notification.error({
        key,
        title: t('export.failed', { title }),
        description: error instanceof Error ? error.message : String(error),
        actions: null,
        duration: false,
        closable: true,
      });
    }
  };

  return (
    <>
      <Tooltip title={t('export.hint')}>
        <Button
          type="text"
          icon={<DownloadOutlined />}
          aria-label={t('export.button')}
          onClick={() => void start('csv')}
        />
      </Tooltip>
      <Tooltip title={t('export.workbook')}>
        <Button
          type="text"
          icon={<FileExcelOutlined />}
          aria-label={t('export.workbook')}
          onClick={() => void start('xlsx')}
        />
      </Tooltip>
    </>
  );
}

/** What an export takes from a column. Names of values are in the current language. */
function wanted<Row>(column: ListColumn<Row>): ExportColumn[] {
  const { key, field = key, title, words } = column;
  const parts = column.parts ?? [{ field, title, ...(words ? { words } : {}) }];
  return parts.map(({ words: group, ...part }) => ({
    ...part,
    ...(group
      ? { words: i18next.getResource(i18next.language, 'translation', group) as Record<string, string> }
      : {}),
  }));
}

const TELL_MS = 200;

/** Limits how often the notification is redrawn; once for every few kilobytes would keep the browser busy. */
function throttled(show: (progress: TableProgress) => void): (progress: TableProgress) => void {
  let last = 0;
  return (progress) => {
    const now = performance.now();
    if (now - last < TELL_MS) return;
    last = now;
    show(progress);
  };
}

function save(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download has begun, and the browser holds the data it needs.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
