/** @jsxImportSource preact */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { giveSecondPassword } from '../http/give-second-password.ts';
import { secondPasswordPrompt } from '../http/second-password-prompt.ts';
import { call, messageOf } from './call.ts';
import { usePhone } from './context.ts';
import styles from './phone.module.css';
import { Sheet } from './sheet.tsx';

/** Opens when a call was refused because it needs the second-level password. The refused calls wait for it. */
export function SecondPassword() {
  const [open, setOpen] = useState(secondPasswordPrompt.isOpen);
  useEffect(() => secondPasswordPrompt.subscribe(() => setOpen(secondPasswordPrompt.isOpen())), []);
  return open ? <Prompt /> : null;
}

function Prompt() {
  const { secondPassword: texts } = usePhone().texts;
  const [formId, fieldId] = [useId(), useId()];
  const field = useRef<HTMLInputElement>(null);
  const sending = useRef(false);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  const submit = async () => {
    const password = field.current!.value;
    if (sending.current) return;
    if (password === '') return setRefusal(texts.required);
    sending.current = true;
    setBusy(true);
    setRefusal(undefined);
    try {
      await giveSecondPassword(call, password);
    } catch (error) {
      setRefusal(messageOf(error));
      if (field.current) field.current.value = '';
      field.current?.focus();
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };

  return (
    <Sheet
      title={texts.title}
      onClose={secondPasswordPrompt.cancel}
      foot={
        <button type="submit" form={formId} className={styles['primary']} aria-busy={busy}>
          {texts.confirm}
        </button>
      }
    >
      <p>{texts.hint}</p>
      <form
        id={formId}
        className={styles['field']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label htmlFor={fieldId}>{texts.password}</label>
        <input
          id={fieldId}
          ref={field}
          type="password"
          autoComplete="off"
          maxLength={128}
          aria-invalid={refusal !== undefined}
        />
        {refusal !== undefined && (
          <p role="alert" className={styles['problem']}>
            {refusal}
          </p>
        )}
      </form>
    </Sheet>
  );
}
