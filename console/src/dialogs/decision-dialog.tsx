import { CODES } from '@sangam/contract/codes.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Alert, App, Modal } from 'antd';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { endpoints } from 'virtual:endpoints';
import { Facts, type Fact } from '../figures/details.tsx';
import { CallError, isHandled } from '../http/call-error.ts';
import { RefusedRows, refusedRows } from './refused-file.tsx';
import { callKey } from '../http/call-key.ts';
import { useUnsavedMark } from '../navigation/unsaved.ts';
import styles from './dialogs.module.css';
import { useFocusBack } from './use-focus-back.ts';

interface DecisionDialogProps {
  readonly title: string;
  /** The subject of the decision. */
  readonly facts?: readonly Fact[];
  /** What the decision will do, as one sentence. */
  readonly consequence?: string;
  readonly okText: string;
  readonly danger?: boolean;
  readonly width?: number;
  readonly children?: ReactNode;
  /** Shown below a refusal, such as where to look next. */
  readonly explain?: ((refusal: CallError) => ReactNode) | undefined;
  /**
   * Resolves to false where the form shows what is missing and nothing was sent. The dialog shows a refusal; 'needs approval'
   * closes it.
   */
  readonly onConfirm: () => Promise<boolean>;
  readonly onClose: () => void;
}

/**
 * Whether an Enter confirms the dialog: only in a field of one line. In a list of choices Enter chooses; in an input method it ends
 * the composition.
 */
function isAnswer({ key, target, nativeEvent }: KeyboardEvent): boolean {
  return (
    key === 'Enter' &&
    !nativeEvent.isComposing &&
    target instanceof HTMLInputElement &&
    target.type !== 'checkbox' &&
    target.role !== 'combobox'
  );
}

/** A dialog for a decision. It shows the subject and the consequence. When the server refuses, the input stays. */
export function DecisionDialog({
  title,
  facts,
  consequence,
  okText,
  danger = false,
  width = 480,
  children,
  explain,
  onConfirm,
  onClose,
}: DecisionDialogProps) {
  const { message } = App.useApp();
  const queries = useQueryClient();
  const unsaved = useUnsavedMark();
  useFocusBack();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Error>();

  const confirm = async () => {
    if (busy) return;
    setBusy(true);
    setRefusal(undefined);
    try {
      if (await onConfirm()) onClose();
    } catch (error) {
      // The request waits for a second person. That is no error, and nothing has happened yet.
      if (error instanceof CallError && error.code === CODES.approvalNeeded.code) {
        message.info(error.message);
        void queries.invalidateQueries({ queryKey: callKey(endpoints.todo.getStarted) });
        onClose();
      } else if (!isHandled(error)) setRefusal(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal
      open
      title={title}
      width={width}
      okText={okText}
      okButtonProps={{ danger }}
      confirmLoading={busy}
      mask={{ closable: false }}
      onOk={() => void confirm()}
      onCancel={onClose}
    >
      {facts && <Facts facts={facts} />}
      <div {...unsaved} onKeyDown={(event) => isAnswer(event) && void confirm()}>
        {children}
      </div>
      {consequence && <p className={styles['consequence']}>{consequence}</p>}
      {refusal && (
        <Alert
          type="error"
          showIcon
          title={refusal.message}
          description={
            (refusal instanceof CallError && explain?.(refusal)) ||
            (refusedRows(refusal).length > 0 && <RefusedRows error={refusal} />)
          }
        />
      )}
    </Modal>
  );
}
