/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { usePhone } from './context.ts';
import styles from './phone.module.css';
import { newVersion } from './version.ts';

/** Offers the new version. It lies behind an open claim, so the version never changes while the user works on a claim. */
export function NewVersion() {
  const { errors } = usePhone().texts;
  const [take, setTake] = useState(newVersion.ready);
  useEffect(() => newVersion.subscribe(() => setTake(newVersion.ready)), []);
  if (!take) return null;
  return (
    <div role="status" className={styles['news']}>
      <span>{errors.newVersion}</span>
      <button type="button" className={styles['quiet']} onClick={take}>
        {errors.reload}
      </button>
    </div>
  );
}
