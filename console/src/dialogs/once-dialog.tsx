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
  /** Replaces the usual advice. */
  readonly hint?: string;
  readonly secrets: readonly ShownOnce[];
  readonly onClose: () => void;
}

/** Shows a secret that the server never shows again. Only the button closes the dialog, so that no stray click loses the secret. */
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
