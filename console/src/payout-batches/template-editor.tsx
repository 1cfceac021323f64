import { Alert, Button, Input, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Section } from '../figures/details.tsx';
import { call } from '../http/client.ts';
import { CallError, isHandled } from '../http/call-error.ts';
import { useCall } from '../http/use-call.ts';
import { Outcome } from './batch-status.tsx';
import type { Template } from './batch.ts';
import { FileButton } from '../dialogs/file-button.tsx';
import { sentFile } from '../dialogs/files.ts';
import styles from './payout-batches.module.css';
import { RefusedFile } from '../dialogs/refused-file.tsx';

interface TemplateEditorProps {
  readonly id: string;
  /** Makes a new template from this one, instead of a new version. */
  readonly copy: boolean;
  readonly onSaved: () => void;
  readonly onBack: () => void;
}

type Format = Template['format'];
type Tried = Awaited<ReturnType<typeof tryFormat>>;

const tryFormat = (format: Format, sample?: { fileName: string; content: string }) =>
  call(endpoints.payoutTemplate.tryPayoutTemplate, { format, ...(sample ? { sample } : {}) });

/** Edits a template. Before it is saved, it is tried on two invented payouts and on a sample of the bank's result file. */
export function TemplateEditor({ id, copy, onSaved, onBack }: TemplateEditorProps) {
  const { t } = useTranslation();
  const template = useCall(endpoints.payoutTemplate.getPayoutTemplate, { templateId: id });
  const [name, setName] = useState('');
  const [typed, setTyped] = useState<string>();
  const [tried, setTried] = useState<Tried>();
  const [refusal, setRefusal] = useState<Error>();
  const [busy, setBusy] = useState(false);
  if (!template.data) return <Skeleton active />;
  const text = typed ?? JSON.stringify(template.data.format, undefined, 2);

  const attempt = async (work: (format: Format) => Promise<void>) => {
    setBusy(true);
    setRefusal(undefined);
    try {
      await work(JSON.parse(text) as Format);
    } catch (error) {
      if (error instanceof SyntaxError) setRefusal(new Error(t('batches.notJson')));
      else if (!isHandled(error)) setRefusal(error as CallError);
    } finally {
      setBusy(false);
    }
  };
  const show = (file?: File) =>
    attempt(async (format) => setTried(await tryFormat(format, file && (await sentFile(file)))));
  const save = () =>
    attempt(async (format) => {
      if (copy) await call(endpoints.payoutTemplate.createPayoutTemplate, { name, format });
      else {
        const { version } = template.data;
        await call(endpoints.payoutTemplate.updatePayoutTemplate, { templateId: id, version, format });
      }
      onSaved();
    });

  return (
    <div className={styles['stack']}>
      <div className={styles['lead']}>
        <b>{copy ? t('batches.copyOf', { name: template.data.name }) : template.data.name}</b>
        <div className={styles['buttons']}>
          <Button onClick={onBack}>{t('batches.back')}</Button>
          <Button onClick={() => void show()}>{t('batches.try')}</Button>
          <FileButton label={t('batches.trySample')} onFile={(file) => void show(file)} />
          <Button
            type="primary"
            loading={busy}
            disabled={copy && name.trim() === ''}
            onClick={() => void save()}
          >
            {t(copy ? 'batches.saveNew' : 'batches.saveVersion')}
          </Button>
        </div>
      </div>
      {copy && (
        <Input
          value={name}
          maxLength={64}
          placeholder={t('batches.templateName')}
          aria-label={t('batches.templateName')}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      {refusal && <RefusedFile error={refusal} onClose={() => setRefusal(undefined)} />}
      <p className={styles['note']}>{t('batches.formatHint')}</p>
      <div className={styles['format']}>
        <Input.TextArea
          value={text}
          spellCheck={false}
          autoSize={{ minRows: 14, maxRows: 24 }}
          aria-label={t('batches.format')}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      {tried && (
        <Section title={t('batches.tried', { name: tried.fileName })}>
          <pre className={styles['written']} tabIndex={0}>
            {tried.upload}
          </pre>
          {tried.result && (
            <Alert
              type="success"
              title={t('batches.sampleRead', { count: tried.result.length })}
              description={
                <ul className={styles['problems']}>
                  {tried.result.map((row) => (
                    <li key={row.row}>
                      {row.row} · {row.reference ?? row.account} · <Outcome outcome={row.outcome} /> ·{' '}
                      {row.utr ?? row.reason ?? '–'}
                    </li>
                  ))}
                </ul>
              }
            />
          )}
        </Section>
      )}
    </div>
  );
}
