import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useSend } from '../http/use-send.ts';

export type IpAction = 'freeze' | 'unfreeze' | 'exempt' | 'endExemption';

export interface IpDecision {
  readonly action: IpAction;
  /** Undefined: the user types the address. */
  readonly ipAddress: string | undefined;
}

/** Minutes. */
const TIMES = [60, 360, 1440, 10_080, 43_200] as const;
const USUAL = 1440;

/** Freezes, thaws or exempts a client address, with a reason for the audit. */
export function IpDialog({
  decision,
  onClose,
}: {
  readonly decision: IpDecision;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const { ipAnalysis } = endpoints;
  const send = useSend(ipAnalysis.getIpList, ipAnalysis.getFrozenIpList);
  const { action } = decision;
  const address: DialogField = {
    name: 'ipAddress',
    label: t('ip.addressOrNetwork'),
    hint: t('ip.addressHint'),
    kind: 'text',
    maxLength: 64,
    required: true,
  };
  const time: DialogField = {
    name: 'minutes',
    label: t('ip.for'),
    kind: 'choice',
    initial: USUAL,
    required: true,
    options: TIMES.map((minutes) => ({
      value: minutes,
      label:
        minutes < USUAL ? t('ip.hours', { count: minutes / 60 }) : t('ip.days', { count: minutes / USUAL }),
    })),
  };
  const fields: DialogField[] = [
    ...(decision.ipAddress === undefined ? [address] : []),
    ...(action === 'freeze' ? [time] : []),
    { name: 'reason', label: t('ip.reason'), kind: 'text', maxLength: 256, required: true },
  ];
  const submit = async (values: Readonly<Record<string, unknown>>) => {
    const input = {
      ipAddress: decision.ipAddress ?? String(values['ipAddress']),
      reason: String(values['reason']),
    };
    const done = t(`ip.done.${action}`, { ip: input.ipAddress });
    if (action === 'freeze')
      await send(ipAnalysis.freezeIp, { ...input, minutes: Number(values['minutes']) }, done);
    else if (action === 'unfreeze') await send(ipAnalysis.unfreezeIp, input, done);
    else await send(ipAnalysis.exemptIp, { ...input, exempt: action === 'exempt' }, done);
  };
  const title = t(`ip.action.${action}`);
  return (
    <FormDialog
      title={decision.ipAddress === undefined ? title : `${title} · ${decision.ipAddress}`}
      fields={fields}
      consequence={t(`ip.consequence.${action}`)}
      okText={title}
      danger={action === 'freeze'}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
