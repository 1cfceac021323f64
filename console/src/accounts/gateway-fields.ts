import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { GATEWAY_PROVIDERS } from '@sangam/contract/gateways.ts';
import type { Direction } from '@sangam/contract/products.ts';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { useCall } from '../http/use-call.ts';

type Typed = Readonly<Record<string, unknown>>;

/** Provider and credentials of a gateway's API. */
interface GatewayValues {
  readonly provider?: unknown;
  readonly payScriptId?: unknown;
  readonly keyId?: unknown;
  readonly keySecret?: unknown;
  readonly webhookSecret?: unknown;
}

/**
 * The provider of a gateway account. Payments come in through pay scripts only; payouts may also go out through a built-in
 * provider.
 */
export function useGatewayMaker(direction: Direction, required: boolean): readonly DialogField[] {
  const { t } = useTranslation();
  const scripts = useCall(endpoints.payScript.getPayScriptOptions, {});
  const script = {
    name: 'payScriptId',
    label: t('gateways.script'),
    kind: 'choice' as const,
    options: (scripts.data?.list ?? []).map(({ id, name }) => ({ value: id, label: name })),
  };
  if (direction === 'in') return [{ ...script, required }];
  return [
    {
      name: 'provider',
      label: t('gateways.provider'),
      kind: 'choice',
      required,
      ...(required ? { initial: 'razorpayx' } : {}),
      options: GATEWAY_PROVIDERS.map((value) => ({ value, label: t(`gateways.providers.${value}`) })),
    },
    { ...script, required: true, when: ({ provider }) => provider === 'script' },
  ];
}

/** The fields for the gateway's keys. `when` decides from the typed values whether they are shown. */
export function useGatewayKeys(when?: (typed: Typed) => boolean): readonly DialogField[] {
  const { t } = useTranslation();
  const asked = when ? { when } : {};
  return [
    { name: 'keyId', label: t('accounts.keyId'), kind: 'text', maxLength: 256, required: true, ...asked },
    {
      name: 'keySecret',
      label: t('accounts.keySecret'),
      hint: t('accounts.keySecretHint'),
      kind: 'password',
      required: true,
      ...asked,
    },
  ];
}

export function useWebhookSecret(when?: (typed: Typed) => boolean): DialogField {
  const { t } = useTranslation();
  return {
    name: 'webhookSecret',
    label: t('gateways.webhookSecret'),
    hint: t('gateways.webhookSecretHint'),
    kind: 'password',
    ...(when ? { when } : {}),
  };
}

/** Whether a provider or a pay script has been chosen. */
export const hasMaker = ({ provider, payScriptId }: Typed): boolean =>
  provider !== undefined || payScriptId !== undefined;

/** The input of the calls. With a pay script chosen and no provider, the provider is `script`. */
export function credentialsOf({ provider, payScriptId, ...keys }: GatewayValues) {
  const maker = provider ?? (payScriptId === undefined ? undefined : 'script');
  return {
    ...keys,
    ...(maker === undefined ? {} : { provider: maker }),
    ...(maker === 'script' ? { payScriptId } : {}),
  };
}
