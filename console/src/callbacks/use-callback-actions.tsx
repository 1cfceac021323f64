import { DeleteOutlined, PauseCircleOutlined, PlayCircleOutlined, SendOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { CODES } from '@sangam/contract/codes.ts';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { isHandled } from '../http/call-error.ts';
import { call } from '../http/client.ts';
import { callKey } from '../http/call-key.ts';
import type { BulkAction, RowAction } from '../operator-table/list-definition.ts';
import { useMayCall } from '../session/may-call.ts';
import type { Callback } from './callback.ts';

interface Pausing {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly paused: boolean;
}

interface CallbackActions {
  readonly of: (callback: Callback) => readonly RowAction[];
  /** Absent for roles that may only read: they have no reason to pick rows. */
  readonly bulk?: readonly BulkAction<Callback>[];
  /** The dialogs that ask before an action. The screen draws them beside the list. */
  readonly dialog: ReactNode;
}

/** What the viewer may do with one callback, with many, and with their merchants. */
export function useCallbackActions(): CallbackActions {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const queries = useQueryClient();
  const mayCall = useMayCall();
  const [deleting, setDeleting] = useState<Callback>();
  const [pausing, setPausing] = useState<Pausing>();

  const reload = () =>
    Promise.all(
      [
        callKey(endpoints.callback.getCallbackList),
        callKey(endpoints.callback.getCallbackDetailList),
        callKey(endpoints.callback.getCallbackHealth),
      ].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
  const many = async (
    endpoint: typeof endpoints.callback.resendCallbacks,
    callbacks: readonly Callback[],
    report: Parameters<BulkAction<Callback>['run']>[2],
  ) => {
    const { list } = await call(endpoint, { ids: callbacks.map(({ id }) => id) });
    const byId = new Map(callbacks.map((callback) => [callback.id, callback]));
    for (const { id, code, msg } of list) {
      const callback = byId.get(id);
      const done = code === CODES.ok.code;
      if (callback) report(callback, { done, text: done ? t('bulk.done') : msg });
    }
    await reload();
  };
  /** Runs a bulk call for one callback and throws its refusal, with the server's text. */
  const one = (endpoint: typeof endpoints.callback.resendCallbacks, callback: Callback) => {
    let refusal: string | undefined;
    return many(endpoint, [callback], (_, { done, text }) => {
      if (!done) refusal = text;
    }).then(() => {
      if (refusal !== undefined) throw new Error(refusal);
      message.success(t('callbacks.done', { orderCode: callback.orderCode }));
    });
  };
  const resend = (callback: Callback) =>
    void one(endpoints.callback.resendCallbacks, callback).catch((error: unknown) => {
      if (!isHandled(error)) message.error(error instanceof Error ? error.message : String(error));
    });
  const single: Readonly<
    Record<
      Callback['actions'][number],
      Omit<RowAction, 'key' | 'run'> & { readonly run: (callback: Callback) => void }
    >
  > = {
    resend: { label: t('callbacks.resend'), icon: <SendOutlined aria-hidden />, run: resend },
    delete: { label: t('callbacks.delete'), icon: <DeleteOutlined aria-hidden />, run: setDeleting },
  };

  return {
    of: (callback) => [
      ...callback.actions.map((key) => ({ ...single[key], key, run: () => single[key].run(callback) })),
      ...(mayCall(endpoints.callback.setMerchantCallbacks)
        ? [
            {
              key: 'pause',
              label: t(callback.paused ? 'callbacks.resumeMerchant' : 'callbacks.pauseMerchant'),
              icon: callback.paused ? (
                <PlayCircleOutlined aria-hidden />
              ) : (
                <PauseCircleOutlined aria-hidden />
              ),
              run: () => setPausing({ ...callback, paused: !callback.paused }),
            },
          ]
        : []),
    ],
    ...(mayCall(endpoints.callback.resendCallbacks) && {
      bulk: [
        {
          key: 'resend',
          label: t('callbacks.resend'),
          icon: <SendOutlined aria-hidden />,
          consequence: t('callbacks.resendConsequence'),
          run: (callbacks, _values, report) => many(endpoints.callback.resendCallbacks, callbacks, report),
        },
        ...(mayCall(endpoints.callback.deleteCallbacks)
          ? [
              {
                key: 'delete',
                label: t('callbacks.delete'),
                icon: <DeleteOutlined aria-hidden />,
                consequence: t('callbacks.deleteConsequence'),
                run: (
                  callbacks: readonly Callback[],
                  _values: unknown,
                  report: Parameters<BulkAction<Callback>['run']>[2],
                ) => many(endpoints.callback.deleteCallbacks, callbacks, report),
              },
            ]
          : []),
      ],
    }),
    dialog: (
      <>
        {deleting && (
          <DeleteDialog
            callback={deleting}
            onConfirm={() => one(endpoints.callback.deleteCallbacks, deleting)}
            onClose={() => setDeleting(undefined)}
          />
        )}
        {pausing && <PauseDialog pausing={pausing} onPaused={reload} onClose={() => setPausing(undefined)} />}
      </>
    ),
  };
}

interface DeleteDialogProps {
  readonly callback: Callback;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

function DeleteDialog({ callback, onConfirm, onClose }: DeleteDialogProps) {
  const { t } = useTranslation();
  return (
    <DecisionDialog
      title={t('callbacks.delete')}
      facts={[
        [t('orders.orderCode'), callback.orderCode],
        [t('orders.merchant'), callback.merchantName],
      ]}
      consequence={t('callbacks.deleteConsequence')}
      okText={t('callbacks.delete')}
      danger
      onConfirm={async () => {
        await onConfirm();
        return true;
      }}
      onClose={onClose}
    />
  );
}

interface PauseDialogProps {
  readonly pausing: Pausing;
  readonly onPaused: () => Promise<unknown>;
  readonly onClose: () => void;
}

function PauseDialog({ pausing, onPaused, onClose }: PauseDialogProps) {
  const { t } = useTranslation();
  const { merchantId, merchantName, paused } = pausing;
  const act = t(paused ? 'callbacks.pauseMerchant' : 'callbacks.resumeMerchant');
  return (
    <DecisionDialog
      title={act}
      facts={[[t('orders.merchant'), merchantName]]}
      consequence={t(paused ? 'callbacks.pauseConsequence' : 'callbacks.resumeConsequence')}
      okText={act}
      onConfirm={async () => {
        await call(endpoints.callback.setMerchantCallbacks, { merchantId, paused });
        await onPaused();
        return true;
      }}
      onClose={onClose}
    />
  );
}
