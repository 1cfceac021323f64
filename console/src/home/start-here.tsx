import { CloseOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { screenAt } from '@sangam/contract/screens.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { usePreference } from '../session/preference.ts';
import { useViewer } from '../session/viewer.ts';
import { FIRST_STEPS } from './first-steps.ts';
import styles from './home.module.css';

const isBoolean = (stored: unknown): stored is boolean => typeof stored === 'boolean';

/** Demo only: five things to try as this role, until the user closes the box. */
export function StartHere() {
  const { t } = useTranslation();
  const { access, isDemo } = useViewer();
  const title = useTitles();
  const { openTab } = useTabLocation();
  const [isClosed, close] = usePreference('startHereClosed', false, isBoolean);
  if (!isDemo || isClosed) return null;
  return (
    <section className={styles['day']} aria-label={t('home.startHere')}>
      <div className={styles['startHere']}>
        <h2>{t('home.startHere')}</h2>
        <Button
          type="text"
          size="small"
          icon={<CloseOutlined />}
          aria-label={t('home.closeStartHere')}
          onClick={() => close(true)}
        />
      </div>
      <ol className={styles['steps']}>
        {FIRST_STEPS[access].map(([path, text]) => (
          <li key={path}>
            <a
              href={path}
              onClick={(event) => {
                event.preventDefault();
                openTab(path);
              }}
            >
              {title(screenAt(path)!)}
            </a>
            <span>{t(`home.firstSteps.${text}`)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
