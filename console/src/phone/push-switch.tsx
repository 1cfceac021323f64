/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from './call.ts';
import { usePhone } from './context.ts';
import styles from './phone.module.css';
import { pushState, switchPushOff, switchPushOn, type PushState } from './push.ts';

/** Switches notices of new payouts on this device on and off. */
export function PushSwitch() {
  const { phone } = usePhone().texts;
  const [state, setState] = useState<PushState>('impossible');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const look = () => pushState().then(setState, () => undefined);
  useEffect(() => void look(), []);
  if (state === 'impossible') return null;
  const change = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await (state === 'on' ? switchPushOff() : switchPushOn());
    } catch (error) {
      setProblem(messageOf(error));
    }
    await look();
    setBusy(false);
  };
  return (
    <>
      <button type="button" className={styles['plain']} aria-busy={busy} onClick={() => void change()}>
        {state === 'on' ? phone.pushOff : phone.pushOn}
      </button>
      {problem !== undefined && (
        <p role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
    </>
  );
}
