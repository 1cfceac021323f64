import { QRCode } from 'antd';
import { useTranslation } from 'react-i18next';

/** Black on white also in the dark: some apps read no other. */
export function UpiCode({ link }: { readonly link: string }) {
  const { t } = useTranslation();
  return (
    <QRCode
      value={link}
      type="svg"
      size={240}
      color="#000"
      bgColor="#fff"
      aria-label={t('payouts.hand.qr')}
    />
  );
}
