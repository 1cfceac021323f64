import { Alert, Button, Form, Input, Modal, Select } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { SCRIPT_FUNCTIONS, type ScriptFunction } from '@sangam/contract/pay-scripts.ts';
import { useSend } from '../http/use-send.ts';
import { useCall } from '../http/use-call.ts';
import { call } from '../http/client.ts';
import { useNames } from '../language/names.ts';
import type { CallRecord, Script, Version } from './pay-script.ts';
import { RecordView } from './record-view.tsx';

interface TryDialogProps {
  readonly script: Script;
  readonly version: Version;
  readonly onClose: () => void;
}

/** Sample requests to start from, as the functions get them. */
const SAMPLES: Readonly<Record<ScriptFunction, object>> = {
  createOrder: {
    orderCode: '900000000000000001',
    amount: '100.00',
    currency: 'INR',
    notifyUrl: 'https://pay.example.com/v1.0/gateway/script/1/mark',
    returnUrl: 'https://shop.example.com/',
    now: 1_780_000_000_000,
  },
  query: { direction: 'in', orderCode: '900000000000000001', reference: 'T1', now: 1_780_000_000_000 },
  parseNotify: { method: 'POST', query: {}, headers: {}, body: '' },
  payout: {
    orderCode: '900000000000000001',
    amount: '100.00',
    currency: 'INR',
    payee: { name: 'A Payee', account: '1234567890', ifsc: 'HDFC0000001', vpa: null, phone: null },
    now: 1_780_000_000_000,
  },
};
const CONFIG = { accountNumber: 'TEST', keyId: 'test', keySecret: 'test', webhookSecret: 'test' };
const json = (value: unknown) => JSON.stringify(value, null, 2);

/** Tries a version on a written or a recorded request. The answers to its fetches come from the dialog, not from the network. */
export function TryDialog({ script, version, onClose }: TryDialogProps) {
  const { t } = useTranslation();
  const name = useNames();
  const calls = endpoints.payScript;
  const send = useSend(calls.getPayScript, calls.getPayScriptCallList);
  const recorded = useCall(calls.getPayScriptCallList, { scriptId: script.id, pageSize: 50 });
  const [chosen, setChosen] = useState<ScriptFunction>('createOrder');
  const [input, setInput] = useState(json(SAMPLES.createOrder));
  const [config, setConfig] = useState(json(CONFIG));
  const [answers, setAnswers] = useState('[]');
  const [record, setRecord] = useState<CallRecord>();
  const [failure, setFailure] = useState<string>();
  /** Nothing can be typed until the recorded request has loaded, because loading would overwrite it. */
  const [taking, setTaking] = useState(false);
  /** The id of the request chosen last. A late answer for another request is ignored. */
  const wanted = useRef('');

  const choose = (value: ScriptFunction) => {
    wanted.current = '';
    setTaking(false);
    setChosen(value);
    setInput(json(SAMPLES[value]));
  };
  const attempt = async (what: () => Promise<void>) => {
    setFailure(undefined);
    try {
      await what();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  const take = (id: string) =>
    attempt(async () => {
      wanted.current = id;
      setTaking(true);
      const isWanted = () => wanted.current === id;
      const found = await call(calls.getPayScriptCall, { id }).finally(() => isWanted() && setTaking(false));
      if (!isWanted()) return;
      setChosen(found.function);
      setInput(json(found.input));
      setAnswers(
        json(
          found.fetches
            .filter(({ status }) => status !== null)
            .map(({ status, answer }) => ({ status, body: answer ?? '' })),
        ),
      );
    });
  const run = () =>
    attempt(async () => {
      const given = JSON.parse(answers) as { status: number; body: string }[];
      const request = {
        id: script.id,
        version: version.version,
        function: chosen,
        input,
        config,
        answers: given,
      };
      setRecord(await send(calls.tryPayScript, request, t('payScripts.tried')));
    });
  const area = (id: string, label: string, value: string, change: (text: string) => void, rows: number) => (
    <Form.Item label={label} htmlFor={id}>
      <Input.TextArea
        id={id}
        rows={rows}
        value={value}
        readOnly={taking}
        onChange={(event) => change(event.target.value)}
      />
    </Form.Item>
  );
  return (
    <Modal
      open
      width={900}
      title={`${t('payScripts.try')} · ${script.name} v${version.version}`}
      onCancel={onClose}
      footer={
        <Button type="primary" loading={taking} onClick={() => void run()}>
          {t('payScripts.run')}
        </Button>
      }
    >
      <p>{t('payScripts.tryHint')}</p>
      <Form layout="vertical" size="small">
        <Form.Item label={t('payScripts.recorded')} htmlFor="try-record">
          <Select
            id="try-record"
            placeholder={t('payScripts.written')}
            onChange={(id: string) => void take(id)}
            options={(recorded.data?.list ?? []).map((row) => ({
              value: row.id,
              label: `${row.time} · ${name('scriptFunctions', row.function)} · ${row.orderCode ?? t('payScripts.isTry')}`,
            }))}
          />
        </Form.Item>
        <Form.Item label={t('payScripts.function')} htmlFor="try-function">
          <Select
            id="try-function"
            value={chosen}
            onChange={choose}
            options={SCRIPT_FUNCTIONS.map((value) => ({ value, label: name('scriptFunctions', value) }))}
          />
        </Form.Item>
        {area('try-input', t('payScripts.input'), input, setInput, 7)}
        {area('try-config', t('payScripts.config'), config, setConfig, 3)}
        {area('try-answers', t('payScripts.answers'), answers, setAnswers, 4)}
      </Form>
      {failure !== undefined && <Alert type="error" showIcon title={failure} />}
      {record && <RecordView record={record} />}
    </Modal>
  );
}
