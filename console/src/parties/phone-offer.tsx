import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useIsPhone } from '../appearance/use-media.ts';
import { useViewer } from '../session/viewer.ts';

/** A link to the supplier's phone app, for a supplier on a phone. */
export function PhoneOffer() {
  const { t } = useTranslation();
  const { access } = useViewer();
  const isPhone = useIsPhone();
  return isPhone && access === 'supplier' ? <Button href="/m/">{t('phone.offer')}</Button> : null;
}
