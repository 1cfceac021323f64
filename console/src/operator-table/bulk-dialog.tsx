import { Alert, Button, Modal } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Status } from '../figures/status.tsx';
import { isHandled } from '../http/call-error.ts';
import type { BulkAction, RowOutcome } from './list-definition.ts';
import styles from './operator-table.module.css';
import { Progress } from './progress.tsx';

interface BulkDialogProps<Row> {
  readonly action: BulkAction<Row>;
  readonly rows: readonly Row[];
  /** The name of a row: its order code. */
  readonly nameOf: (row: Row) => string;
  readonly onClose: (changed: boolean) => void;
}

/** Asks once for all rows, then shows the outcome of each row. Failed rows can be tried again. */
export function BulkDialog<Row>({ action, rows, nameOf, onClose }: BulkDialogProps<Row>) {
  const { t } = useTranslation();
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>();
  if (!values) {
    return (
      <FormDialog
        title={action.label}
        facts={[[t('bulk.rows'), t('bulk.picked', { count: rows.length })]]}
        fields={action.fields ?? []}
        consequence={action.consequence}
        okText={action.label}
        onSubmit={async (typed) => {
          setValues(typed);
          return 'stay';
        }}
        onClose={() => onClose(false)}
      />
    );
  }
  return <BulkResults action={action} rows={rows} nameOf={nameOf} values={values} onClose={onClose} />;
}

interface BulkResultsProps<Row> extends BulkDialogProps<Row> {
  readonly values: Readonly<Record<string, unknown>>;
}

function BulkResults<Row>({ action, rows, nameOf, values, onClose }: BulkResultsProps<Row>) {
  const { t } = useTranslation();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<Row, Omit<RowOutcome, 'key'>>>(new Map());
  const [running, setRunning] = useState(true);
  const [refusal, setRefusal] = useState<string>();
  const stop = useRef<AbortController>(undefined);

  const run = async (tried: readonly Row[]) => {
    const control = new AbortController();
    stop.current = control;
    setRunning(true);
    setRefusal(undefined);
    setOutcomes((now) => new Map([...now].filter(([row]) => !tried.includes(row))));
    try {
      await action.run(
        tried,
        values,
        (row, outcome) => setOutcomes((now) => new Map(now).set(row, outcome)),
        control.signal,
      );
    } catch (error) {
      if (!isHandled(error)) setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setRunning(false);
    }
  };
  const started = useRef(false);
  useEffect(() => {
    // Runs once: a development build mounts every component twice.
    if (started.current) return;
    started.current = true;
    void run(rows);
  });

  const done = rows.filter((row) => outcomes.get(row)?.done);
  const failed = rows.filter((row) => outcomes.get(row)?.done === false);
  const untried = rows.filter((row) => !outcomes.has(row));
  const again = [...failed, ...untried];
  const percent = Math.round((outcomes.size / rows.length) * 100);

  return (
    <Modal
      open
      title={action.label}
      width={560}
      mask={{ closable: false }}
      closable={!running}
      keyboard={!running}
      onCancel={() => onClose(done.length > 0)}
      footer={
        running ? (
          <Button onClick={() => stop.current?.abort()}>{t('bulk.stop')}</Button>
        ) : (
          <>
            {again.length > 0 && (
              <Button onClick={() => void run(again)}>{t('bulk.retry', { count: again.length })}</Button>
            )}
            <Button type="primary" onClick={() => onClose(done.length > 0)}>
              {t('bulk.close')}
            </Button>
          </>
        )
      }
    >
      <Progress
        percent={percent}
        status={running ? 'active' : failed.length > 0 ? 'exception' : 'success'}
        aria-label={action.label}
      />
      <p role="status" className={styles['bulkSums']}>
        {t('bulk.sums', { done: done.length, failed: failed.length, untried: untried.length })}
      </p>
      {refusal && <Alert type="error" showIcon title={refusal} />}
      <table className={styles['outcomes']} aria-label={t('bulk.results')} tabIndex={0}>
        <tbody>
          {/* Failures first, because they matter most. */}
          {[...failed, ...done].map((row) => {
            const outcome = outcomes.get(row)!;
            return (
              <tr key={nameOf(row)}>
                <th scope="row" className="figures">
                  {nameOf(row)}
                </th>
                <td>
                  <Status tone={outcome.done ? 'positive' : 'negative'} label={outcome.text} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Modal>
  );
}
