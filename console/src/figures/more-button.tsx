import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import styles from './figures.module.css';

interface MoreButtonProps {
  /** Undefined when everything is shown. */
  readonly more: (() => void) | undefined;
  readonly busy: boolean;
}

export function MoreButton({ more, busy }: MoreButtonProps) {
  const { t } = useTranslation();
  return (
    more && (
      <div className={styles['more']}>
        <Button size="small" loading={busy} onClick={more}>
          {t('common.more')}
        </Button>
      </div>
    )
  );
}
