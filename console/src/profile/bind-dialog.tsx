import { useQuery } from '@tanstack/react-query';
import { Alert, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Copyable } from '../figures/copyable.tsx';
import { call } from '../http/client.ts';
import { useSend } from '../http/use-send.ts';
import { useViewer } from '../session/viewer.ts';
import styles from './profile.module.css';

/** Binds a new authenticator. The old one works until a code of the new one is entered. */
export function BindDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { account: userAccount } = useViewer();
  const send = useSend(endpoints.user.getInfo);
  // Each call makes a new secret and voids the previous one, so it is called once.
  const secret = useQuery({
    queryKey: ['bindForProfile'],
    queryFn: () => call(endpoints.user.bindUserForProfile, { userAccount }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <FormDialog
      title={t('binding.heading')}
      fields={[
        {
          name: 'googleCode',
          label: t('signIn.googleCode'),
          kind: 'text',
          maxLength: 8,
          pattern: /^\d{6,8}$/,
          invalid: t('binding.codeRequired'),
          required: true,
        },
      ]}
      consequence={t('profile.consequence.bind')}
      okText={t('binding.submit')}
      onSubmit={async ({ googleCode }) => {
        const input = { userAccount, googleCode: googleCode as string };
        await send(endpoints.user.confirmBindForProfile, input, t('profile.boundDone'));
      }}
      onClose={onClose}
    >
      {secret.data ? (
        <div className={styles['secret']}>
          <img src={secret.data.qrCode} alt={t('binding.qrAlt')} width={184} height={184} />
          <span>{t('binding.secret')}</span>
          <code>
            <Copyable text={secret.data.secret} limit={40} />
          </code>
        </div>
      ) : secret.isError ? (
        <Alert type="error" showIcon title={secret.error.message} />
      ) : (
        <Skeleton active />
      )}
    </FormDialog>
  );
}
