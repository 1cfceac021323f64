import { Button, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { NothingYet, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { isHandled } from '../http/call-error.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import { useMayCall } from '../session/may-call.ts';
import { useUnsavedMark } from '../navigation/unsaved.ts';
import type { Story } from './order.ts';
import styles from './orders.module.css';

const LONGEST = 1_000;

interface OrderNotesProps {
  readonly orderCode: string;
  readonly events: Story['events'];
}

/** Notes of colleagues about the order, newest first. Notes are events of the order's history that only staff see. */
export function OrderNotes({ orderCode, events }: OrderNotesProps) {
  const { t } = useTranslation();
  const name = useNames();
  const mayCall = useMayCall();
  const send = useSend(endpoints.order.getDetail, endpoints.payout.getPayoutDetail);
  const unsaved = useUnsavedMark();
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const notes = events.filter(({ kind }) => kind === 'noted').toReversed();

  const add = async () => {
    setBusy(true);
    setRefusal(undefined);
    try {
      await send(endpoints.order.addNote, { orderCode, note: note.trim() }, t('notes.added'));
      setNote('');
    } catch (error) {
      if (!isHandled(error)) setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Section title={t('notes.title')} count={notes.length}>
      {mayCall(endpoints.order.addNote) && (
        <div {...(note.trim() ? unsaved : { onInput: unsaved.onInput })} className={styles['noteForm']}>
          <Input.TextArea
            aria-label={t('notes.new')}
            placeholder={t('notes.hint')}
            value={note}
            maxLength={LONGEST}
            autoSize={{ minRows: 1, maxRows: 6 }}
            onChange={(event) => setNote(event.target.value)}
          />
          <Button loading={busy} disabled={note.trim() === ''} onClick={() => void add()}>
            {t('notes.add')}
          </Button>
        </div>
      )}
      {refusal && (
        <p role="alert" className={styles['refusal']}>
          {refusal}
        </p>
      )}
      {notes.length === 0 ? (
        <NothingYet text={t('notes.none')} />
      ) : (
        notes.map((each) => (
          <article key={each.id} className={styles['message']}>
            <header>
              <strong>{name('actors', each.actor)}</strong>
              <Moment time={each.time} exact />
            </header>
            <p>{each.reason}</p>
          </article>
        ))
      )}
    </Section>
  );
}
