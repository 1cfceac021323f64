import { Button, Modal, Table } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { Status } from '../figures/status.tsx';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import type { InputOf } from '../http/call-types.ts';
import { useMayCall } from '../session/may-call.ts';

/** Versions of the monitors' script. All are kept; one is live. */
export function ScriptsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const mayCall = useMayCall();
  const calls = endpoints.monitor;
  const scripts = useCall(calls.getMonitorScriptList, {});
  const send = useSend(calls.getMonitorScriptList, calls.getMonitorList);
  const [asked, setAsked] = useState<{ readonly body?: string; readonly release?: string }>();
  const close = () => setAsked(undefined);
  return (
    <Modal open title={t('monitors.scripts')} width={860} footer={null} onCancel={onClose}>
      {mayCall(calls.saveMonitorScript) && (
        <Button onClick={() => setAsked({})} style={{ marginBottom: 8 }}>
          {t('monitors.newScript')}
        </Button>
      )}
      <Table
        size="small"
        rowKey="version"
        loading={scripts.isLoading}
        dataSource={scripts.data?.list ?? []}
        pagination={{ pageSize: 10, hideOnSinglePage: true }}
        locale={{ emptyText: scripts.error?.message ?? t('monitors.noScripts') }}
        expandable={{
          expandedRowRender: ({ body }) => <pre style={{ margin: 0, whiteSpace: 'pre-wrap' }}>{body}</pre>,
        }}
        columns={[
          { key: 'version', title: t('monitors.version'), render: (_, { version }) => version },
          {
            key: 'live',
            title: t('people.state'),
            render: (_, { live }) => (live ? <Status tone="positive" label={t('monitors.live')} /> : '–'),
          },
          {
            key: 'monitors',
            title: t('monitors.running'),
            align: 'right',
            render: (_, { monitors }) => monitors,
          },
          { key: 'note', title: t('monitors.note'), render: (_, { note }) => note },
          {
            key: 'time',
            title: t('people.createTime'),
            render: (_, { time, by }) => `${time} · ${by ?? '–'}`,
          },
          {
            key: 'release',
            title: '',
            render: (_, { version, live }) =>
              !live &&
              mayCall(calls.releaseMonitorScript) && (
                <Button size="small" onClick={() => setAsked({ release: version })}>
                  {t('monitors.release')}
                </Button>
              ),
          },
        ]}
      />
      {asked && asked.release === undefined && (
        <FormDialog
          title={t('monitors.newScript')}
          width={720}
          fields={[
            {
              name: 'version',
              label: t('monitors.version'),
              kind: 'text',
              pattern: /^[A-Za-z0-9._-]{1,64}$/,
              required: true,
            },
            { name: 'note', label: t('monitors.note'), kind: 'text', maxLength: 500 },
            { name: 'body', label: t('monitors.body'), kind: 'lines', required: true },
          ]}
          consequence={t('monitors.saveConsequence')}
          okText={t('people.save')}
          onSubmit={async (values) => {
            await send(
              calls.saveMonitorScript,
              values as InputOf<typeof calls.saveMonitorScript>,
              t('people.saved'),
            );
          }}
          onClose={close}
        />
      )}
      {asked?.release !== undefined && (
        <FormDialog
          title={`${t('monitors.release')} · ${asked.release}`}
          fields={[
            { name: 'reason', label: t('fund.reason'), kind: 'lines', maxLength: 256, required: true },
          ]}
          consequence={t('monitors.releaseConsequence')}
          okText={t('monitors.release')}
          onSubmit={async ({ reason }) => {
            const input = { version: asked.release!, reason: String(reason) };
            await send(calls.releaseMonitorScript, input, t('people.saved'));
          }}
          onClose={close}
        />
      )}
    </Modal>
  );
}
