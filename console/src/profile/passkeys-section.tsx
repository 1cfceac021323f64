import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { TextButton } from '../figures/text-button.tsx';
import { call } from '../http/client.ts';
import { fromBrowser } from '../http/step-up.ts';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import { makePasskey } from '../session/passkey.ts';
import styles from './profile.module.css';

type Passkey = NonNullable<typeof endpoints.passkey.getPasskeys.types>['output']['list'][number];
type Added = NonNullable<typeof endpoints.passkey.addPasskey.types>['input'];

/** The viewer's passkeys: the second factor of sign-in, and the confirmation of each action that moves money. */
export function PasskeysSection() {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<Passkey | 'new'>();
  const { data } = useCall(endpoints.passkey.getPasskeys, {});
  // An installation without a configured host has no passkeys.
  if (!data || (data.host === null && data.list.length === 0)) return null;
  const isHere = data.host === location.hostname;
  return (
    <Section title={t('passkeys.title')} count={data.list.length}>
      <p>{t('passkeys.why')}</p>
      {!isHere && <p>{t('passkeys.elsewhere', { host: data.host ?? '–' })}</p>}
      <ul className={styles['rows']}>
        {data.list.map((passkey) => (
          <li key={passkey.id}>
            <span>
              {passkey.name}
              <small>{t(passkey.isSynced ? 'passkeys.synced' : 'passkeys.oneDevice')}</small>
            </span>
            <span>
              {passkey.lastUsedTime === null ? (
                t('passkeys.neverUsed')
              ) : (
                <Moment time={passkey.lastUsedTime} />
              )}
            </span>
            <TextButton
              text={t('passkeys.remove')}
              label={`${t('passkeys.remove')} ${passkey.name}`}
              onClick={() => setAsked(passkey)}
            />
          </li>
        ))}
      </ul>
      <p>
        <Button disabled={!isHere} onClick={() => setAsked('new')}>
          {t('passkeys.add')}
        </Button>
      </p>
      {asked === 'new' && <AddPasskeyDialog onClose={() => setAsked(undefined)} />}
      {asked && asked !== 'new' && (
        <RemovePasskeyDialog passkey={asked} onClose={() => setAsked(undefined)} />
      )}
    </Section>
  );
}

function AddPasskeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const send = useSend(endpoints.passkey.getPasskeys);
  return (
    <FormDialog
      title={t('passkeys.add')}
      fields={[
        {
          name: 'name',
          label: t('passkeys.name'),
          hint: t('passkeys.nameHint'),
          kind: 'text',
          maxLength: 64,
          required: true,
        },
      ]}
      consequence={t('passkeys.consequence.add')}
      okText={t('passkeys.add')}
      onSubmit={async ({ name }) => {
        const { options } = await call(endpoints.passkey.beginPasskey, {});
        const passkey = (await fromBrowser(makePasskey(options), () =>
          t('errors.passkey'),
        )) as Added['passkey'];
        await send(endpoints.passkey.addPasskey, { name: name as string, passkey }, t('passkeys.added'));
      }}
      onClose={onClose}
    />
  );
}

function RemovePasskeyDialog({
  passkey,
  onClose,
}: {
  readonly passkey: Passkey;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const send = useSend(endpoints.passkey.getPasskeys);
  return (
    <DecisionDialog
      title={t('passkeys.remove')}
      facts={[
        [t('passkeys.name'), passkey.name],
        [t('passkeys.made'), <Moment time={passkey.createTime} exact />],
      ]}
      consequence={t('passkeys.consequence.remove')}
      okText={t('passkeys.remove')}
      danger
      onConfirm={async () => {
        await send(endpoints.passkey.removePasskey, { id: passkey.id }, t('passkeys.removed'));
        return true;
      }}
      onClose={onClose}
    />
  );
}
