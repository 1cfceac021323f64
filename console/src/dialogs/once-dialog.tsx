import { Button, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { Copyable } from '../figures/copyable.tsx';
import styles from './dialogs.module.css';

export interface ShownOnce {
  readonly label: string;
  readonly value: string;
}

interface OnceDialogProps {
  readonly title: string;
  /** Instead of the usual advice. */
  readonly hint?: string;
  readonly secrets: readonly ShownOnce[];
  readonly onClose: () => void;
}

/** Shows what the server will never show again. Only its button closes it, so that no stray click loses it. */
export function OnceDialog({ title, hint, secrets, onClose }: OnceDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      open
      title={title}
      closable={false}
      mask={{ closable: false }}
      keyboard={false}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('people.kept')}
        </Button>
      }
    >
      <p>{hint ?? t('people.onceHint')}</p>
      {secrets.map(({ label, value }) => (
        <div key={label}>
          {label}
          <code className={styles['secret']}>
            <Copyable text={value} limit={value.length} />
          </code>
        </div>
      ))}
    </Modal>
  );
}
