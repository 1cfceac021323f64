/** @jsxImportSource preact */
import encodeQr from 'qr';
import { useState } from 'preact/hooks';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { usePhone } from './context.ts';
import { payoutUpiLink } from './payee-fields.ts';
import styles from './phone.module.css';

/** White modules that scanners need around the code (ISO/IEC 18004). */
const QUIET = 4;

/** Ways to pay by UPI: a link for an app on this phone, and a QR code for another phone. The code is drawn on demand. */
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
        {/* Black on white in the dark theme too: some apps read no other code. */}
        {code && <img className={styles['code']} src={code} alt={hand.qr} width={240} height={240} />}
      </details>
    </div>
  );
}
