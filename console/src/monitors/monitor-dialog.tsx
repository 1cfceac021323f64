import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useSend } from '../http/use-send.ts';
import type { InputOf } from '../http/call-types.ts';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import { OnceDialog } from '../dialogs/once-dialog.tsx';
import type { Monitor } from './monitors-screen.tsx';

export type MonitorAction = 'register' | 'resend' | 'renew' | 'enable' | 'disable';

interface MonitorDialogProps {
  readonly monitor?: Monitor;
  readonly action: MonitorAction;
  readonly onClose: () => void;
}

/** Registers or changes a monitor, as `action` says. A secret is shown once. */
export function MonitorDialog({ monitor, action, onClose }: MonitorDialogProps) {
  const { t } = useTranslation();
  const calls = endpoints.monitor;
  const send = useSend(calls.getMonitorList);
  const { suppliers } = useFilterOptions();
  const [made, setMade] = useState<{ readonly monitorId: string; readonly secret: string | null }>();
  const title = monitor ? `${t(`monitors.${action}`)} · ${monitor.name}` : t(`monitors.${action}`);
  if (made) {
    const secrets = [
      { label: t('messages.monitorId'), value: made.monitorId },
      // Only the monitor's supplier is shown the secret.
      ...(made.secret === null ? [] : [{ label: t('monitors.secret'), value: made.secret }]),
    ];
    return <OnceDialog title={title} secrets={secrets} onClose={onClose} />;
  }
  const time = (name: string, label: string): DialogField => ({ name, label, kind: 'time', required: true });
  const fields: readonly DialogField[] =
    action === 'register'
      ? [
          {
            name: 'supplierId',
            label: t('orders.supplier'),
            kind: 'choice',
            options: suppliers ?? [],
            required: true,
          },
          { name: 'name', label: t('monitors.name'), kind: 'text', maxLength: 64, required: true },
        ]
      : action === 'resend'
        ? [time('startTime', t('list.from')), time('endTime', t('list.to'))]
        : [];
  return (
    <FormDialog
      title={title}
      fields={fields}
      consequence={t(`monitors.${action}Consequence`)}
      okText={t(`monitors.${action}`)}
      danger={action === 'disable' || action === 'renew'}
      onSubmit={async (values) => {
        const done = t('people.saved');
        const monitorId = monitor?.id ?? '';
        if (action === 'register') {
          const registered = await send(
            calls.registerMonitor,
            values as InputOf<typeof calls.registerMonitor>,
            done,
          );
          setMade({ ...registered, secret: null });
          return 'stay';
        }
        if (action === 'renew') {
          const renewed = await send(calls.renewMonitorSecret, { monitorId }, done);
          if (renewed.secret === null) return 'close';
          setMade(renewed);
          return 'stay';
        }
        if (action === 'resend')
          await send(
            calls.askMonitorResend,
            { monitorId, ...values } as InputOf<typeof calls.askMonitorResend>,
            done,
          );
        else await send(calls.enableMonitor, { monitorId, enable: action === 'enable' }, done);
        return 'close';
      }}
      onClose={onClose}
    />
  );
}
