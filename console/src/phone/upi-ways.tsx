/** @jsxImportSource preact */
import encodeQr from 'qr';
import { useState } from 'preact/hooks';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { usePhone } from './context.ts';
import { payoutUpiLink } from './payee-fields.ts';
import styles from './phone.module.css';

/** Modules of white that scanners need around the code (ISO/IEC 18004). */
const QUIET = 4;

/** The app of this phone by a link, that of another by the code, which is drawn when it is wanted. */
export function UpiWays({ order }: { readonly order: PayoutOrderRow }) {
  const { hand } = usePhone().texts.payouts;
  const link = payoutUpiLink(order);
  const [code, setCode] = useState<string>();
  if (link === undefined) return null;
  const draw = () =>
    setCode(`data:image/svg+xml,${encodeURIComponent(encodeQr(link, 'svg', { border: QUIET }))}`);
  return (
    <div className={styles['upi']}>
      <a href={link} className={styles['plain']}>
        {hand.openUpi}
      </a>
      <details onToggle={draw}>
        <summary>{hand.qr}</summary>
        {/* Black on white also in the dark: some apps read no other. */}
        {code && <img className={styles['code']} src={code} alt={hand.qr} width={240} height={240} />}
      </details>
    </div>
  );
}
