import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { NothingYet, Section } from '../figures/details.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import { Status } from '../figures/status.tsx';
import type { OutputOf } from '../http/call-types.ts';
import { call } from '../http/client.ts';
import { useSend } from '../http/use-send.ts';
import { type Names, useNames } from '../language/names.ts';
import { fieldName, subjectText } from '../language/record-words.ts';
import styles from './maintenance.module.css';

const REPAIRS = {
  pool: { look: endpoints.maintenance.previewResourcePool, act: endpoints.maintenance.resetResourcePool },
  fix: { look: endpoints.maintenance.previewFix, act: endpoints.maintenance.fixResources },
} as const;

type What = keyof typeof REPAIRS;
type Answer = OutputOf<typeof endpoints.maintenance.previewFix>;

/** First lists, row by row, what is inconsistent; then mends it. */
export function RepairSection() {
  const { t } = useTranslation();
  const send = useSend(endpoints.maintenance.getSystemState);
  const [what, setWhat] = useState<What>();
  const [found, setFound] = useState<Answer>();
  const [looking, setLooking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [asked, setAsked] = useState(false);
  const look = async (next: What) => {
    setWhat(next);
    setFound(undefined);
    setProblem(undefined);
    setLooking(true);
    try {
      setFound(await call(REPAIRS[next].look, {}));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setLooking(false);
    }
  };
  return (
    <Section title={t('maintenance.repair')}>
      <p className={styles['soft']}>{t('maintenance.repairText')}</p>
      <div className={styles['buttons']}>
        <Button loading={looking && what === 'pool'} onClick={() => void look('pool')}>
          {t('maintenance.lookPool')}
        </Button>
        <Button loading={looking && what === 'fix'} onClick={() => void look('fix')}>
          {t('maintenance.lookFix')}
        </Button>
      </div>
      {problem && <Alert type="error" showIcon title={problem} />}
      {found && what && (
        <div className={styles['gap']} aria-live="polite">
          <Found answer={found} />
          {found.list.length > 0 && found.todoId === null && (
            <Button type="primary" onClick={() => setAsked(true)}>
              {t('maintenance.mend', { count: found.list.length })}
            </Button>
          )}
        </div>
      )}
      {asked && what && (
        <FormDialog
          title={t('maintenance.mend', { count: found?.list.length ?? 0 })}
          fields={[{ name: 'reason', label: t('fund.reason'), kind: 'text', required: true, maxLength: 256 }]}
          consequence={t('maintenance.mendText')}
          okText={t('maintenance.mendNow')}
          onSubmit={async ({ reason }) => {
            setFound(await send(REPAIRS[what].act, { reason: String(reason) }, t('maintenance.mended')));
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </Section>
  );
}

const sideText = (name: Names, side: Readonly<Record<string, unknown>>) =>
  Object.entries(side)
    .map(([key, value]) => `${fieldName(name, key)} ${String(value)}`)
    .join(' · ') || '–';

function Found({ answer: { list, todoId } }: { readonly answer: Answer }) {
  const { t } = useTranslation();
  const name = useNames();
  if (list.length === 0) return <NothingYet text={t('maintenance.whole')} />;
  return (
    <>
      {todoId !== null && (
        <Alert type="info" showIcon title={t('maintenance.waitsForSecond', { id: todoId })} />
      )}
      <PlainTable
        rows={list}
        keyOf={(row) => `${row.kind} ${row.subject} ${JSON.stringify(row.before)}`}
        columns={[
          { title: t('maintenance.found'), cell: ({ kind }) => t(`maintenance.mendOf.${kind}`) },
          { title: t('audit.subject'), cell: ({ subject }) => subjectText(name, subject) },
          { title: t('approvalFields.before'), cell: ({ before }) => sideText(name, before) },
          { title: t('approvalFields.after'), cell: ({ after }) => sideText(name, after) },
          {
            title: t('maintenance.state'),
            cell: ({ waits }) => waits && <Status tone="pending" label={t('maintenance.waits')} />,
          },
        ]}
      />
    </>
  );
}
