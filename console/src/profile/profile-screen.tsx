import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Facts, Section } from '../figures/details.tsx';
import { Status } from '../figures/status.tsx';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import { KycSection } from '../parties/kyc-section.tsx';
import { RotateSecretDialog } from '../parties/rotate-secret-dialog.tsx';
import { useMayCall } from '../session/may-call.ts';
import { useViewer } from '../session/viewer.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { BindDialog } from './bind-dialog.tsx';
import { CompanySection } from './company-section.tsx';
import { PartyUsersSection } from './party-users-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { MerchantTerms } from './merchant-terms.tsx';
import styles from './profile.module.css';
import { SessionsSection } from './sessions-section.tsx';

/** The viewer's own data, passwords, authenticator and sessions. */
export function ProfileScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const name = useNames();
  const viewer = useViewer();
  const mayCall = useMayCall();
  const [asked, setAsked] = useState<'password' | 'payPassword' | 'bind' | 'unbind' | 'secret'>();
  const close = () => setAsked(undefined);
  const partyId = viewer.merchantId ?? viewer.supplierId;
  return (
    <section className={styles['page']} aria-label={title(screen)}>
      <h1>{title(screen)}</h1>
      <Section title={t('profile.own')}>
        <Facts
          facts={[
            [t('people.name'), viewer.name],
            [t('people.account'), viewer.account],
            [
              t('profile.role'),
              viewer.partyRole
                ? `${name('roles', viewer.access)} · ${name('partyRoles', viewer.partyRole)}`
                : name('roles', viewer.access),
            ],
            viewer.merchantId !== undefined && [t('people.merchantId'), viewer.merchantId],
            viewer.supplierId !== undefined && [t('people.supplierId'), viewer.supplierId],
          ]}
        />
      </Section>
      <Section title={t('profile.security')}>
        <ul className={styles['rows']}>
          <li>
            <span>{t('profile.password')}</span>
            <Button onClick={() => setAsked('password')}>{t('profile.change')}</Button>
          </li>
          <li>
            <span>
              {t('profile.payPassword')}
              <small>{t('profile.payPasswordHint')}</small>
            </span>
            <Button onClick={() => setAsked('payPassword')}>{t('profile.change')}</Button>
          </li>
          <li>
            <span>
              {t('profile.authenticator')}{' '}
              <Status
                tone={viewer.confirmBind ? 'positive' : 'warning'}
                label={t(viewer.confirmBind ? 'profile.bound' : 'profile.unbound')}
              />
            </span>
            <span className={styles['buttons']}>
              <Button onClick={() => setAsked('bind')}>
                {t(viewer.confirmBind ? 'profile.bindAnew' : 'profile.bind')}
              </Button>
              {viewer.confirmBind && mayCall(endpoints.user.unbindForProfile) && (
                <Button danger onClick={() => setAsked('unbind')}>
                  {t('profile.unbind')}
                </Button>
              )}
            </span>
          </li>
          {viewer.merchantId !== undefined && mayCall(endpoints.merchant.rotateSecret) && (
            <li>
              <span>
                {t('profile.secret')}
                <small>{t('profile.secretHint')}</small>
              </span>
              <Button onClick={() => setAsked('secret')}>{t('people.rotateSecret')}</Button>
            </li>
          )}
        </ul>
      </Section>
      {partyId !== undefined && mayCall(endpoints.kyc.getKycList) && (
        <KycSection
          subjectKind={viewer.merchantId === undefined ? 'supplier' : 'merchant'}
          subjectId={partyId}
          title="KYC"
        />
      )}
      {mayCall(endpoints.partyUser.getPartyUsers) && <PartyUsersSection />}
      <PasskeysSection />
      <CompanySection />
      {viewer.merchantId !== undefined && <MerchantTerms merchantId={viewer.merchantId} />}
      <SessionsSection />
      {(asked === 'password' || asked === 'payPassword') && <PasswordDialog which={asked} onClose={close} />}
      {asked === 'secret' && viewer.merchantId !== undefined && (
        <RotateSecretDialog merchantId={viewer.merchantId} name={viewer.name} isOwn onClose={close} />
      )}
      {asked === 'bind' && <BindDialog onClose={close} />}
      {asked === 'unbind' && <UnbindDialog onClose={close} />}
    </section>
  );
}

interface DialogProps {
  readonly onClose: () => void;
}

function PasswordDialog({ which, onClose }: DialogProps & { readonly which: 'password' | 'payPassword' }) {
  const { t } = useTranslation();
  const send = useSend(endpoints.user.getSessions);
  const field = (fieldName: 'oldPassword' | 'newPassword'): DialogField => ({
    name: fieldName,
    label: t(`profile.${fieldName}`),
    kind: 'password',
    required: true,
    ...(fieldName === 'newPassword' ? { hint: t('people.passwordHint') } : {}),
  });
  return (
    <FormDialog
      title={t(`profile.${which}`)}
      fields={[field('oldPassword'), field('newPassword')]}
      consequence={t(`profile.consequence.${which}`)}
      okText={t('profile.change')}
      onSubmit={async (values) => {
        const call =
          which === 'password' ? endpoints.admin.changeOwnPassword : endpoints.admin.changeOwnPayPassword;
        await send(
          call,
          values as { readonly oldPassword: string; readonly newPassword: string },
          t('people.saved'),
        );
      }}
      onClose={onClose}
    />
  );
}

function UnbindDialog({ onClose }: DialogProps) {
  const { t } = useTranslation();
  const { account } = useViewer();
  const send = useSend(endpoints.user.getInfo, endpoints.user.getSessions);
  return (
    <FormDialog
      title={t('profile.unbind')}
      fields={[]}
      consequence={t('profile.consequence.unbind')}
      okText={t('profile.unbind')}
      danger
      onSubmit={async () => {
        await send(endpoints.user.unbindForProfile, { userAccount: account }, t('profile.unbindDone'));
      }}
      onClose={onClose}
    />
  );
}
