import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { call } from '../http/client.ts';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import { leaveForCompany } from '../session/company-visit.ts';
import styles from './profile.module.css';

/** The link to the company's identity service, where the installation has one. */
export function CompanySection() {
  const { t } = useTranslation();
  const send = useSend(endpoints.companySignIn.getOwnIdentity);
  const [asked, setAsked] = useState<'link' | 'unlink'>();
  const { data } = useCall(endpoints.companySignIn.getOwnIdentity, {});
  if (!data || (data.name === null && data.linkedTime === null)) return null;
  const name = data.name ?? '–';
  const close = () => setAsked(undefined);
  return (
    <Section title={t('company.title')}>
      <ul className={styles['rows']}>
        <li>
          <span>
            {name}
            <small>
              {data.linkedTime === null ? t('company.notLinked') : <Moment time={data.linkedTime} exact />}
            </small>
          </span>
          {data.linkedTime === null ? (
            <Button onClick={() => setAsked('link')}>{t('company.link')}</Button>
          ) : (
            <Button danger onClick={() => setAsked('unlink')}>
              {t('company.unlink')}
            </Button>
          )}
        </li>
      </ul>
      {asked === 'link' && (
        <DecisionDialog
          title={t('company.link')}
          facts={[[t('company.title'), name]]}
          consequence={t('company.consequence.link')}
          okText={t('company.link')}
          onConfirm={async () => {
            leaveForCompany(await call(endpoints.companySignIn.beginLink, {}), true);
            return true;
          }}
          onClose={close}
        />
      )}
      {asked === 'unlink' && (
        <DecisionDialog
          title={t('company.unlink')}
          facts={[[t('company.title'), name]]}
          consequence={t('company.consequence.unlink')}
          okText={t('company.unlink')}
          danger
          onConfirm={async () => {
            await send(endpoints.companySignIn.unlinkIdentity, {}, t('company.unlinked'));
            return true;
          }}
          onClose={close}
        />
      )}
    </Section>
  );
}
