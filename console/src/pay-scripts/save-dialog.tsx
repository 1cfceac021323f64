import { Alert, Button, Form, Input, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { call } from '../http/client.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import { Editor } from './editor.tsx';
import type { Script, Version } from './pay-script.ts';

interface SaveDialogProps {
  /** The version to start from; absent: a new script. */
  readonly from?: { readonly script: Script; readonly version: Version } | undefined;
  readonly onClose: () => void;
}

type Problem = NonNullable<(typeof endpoints.payScript.checkPayScript)['types']>['output']['problem'];

const BLANK = `async function createOrder(order, config) {
}

async function query(order, config) {
}

function parseNotify(request, config) {
}
`;

/** Edits a new version. The server checks it in the sandbox before saving, and a problem is marked in its line. */
export function SaveDialog({ from, onClose }: SaveDialogProps) {
  const { t } = useTranslation();
  const named = useNames();
  const calls = endpoints.payScript;
  const send = useSend(calls.getPayScriptList, calls.getPayScript);
  const initial = from?.version.code ?? BLANK;
  const [code, setCode] = useState(initial);
  const [name, setName] = useState('');
  const [note, setNote] = useState('');
  const [origins, setOrigins] = useState(from?.version.origins.join('\n') ?? '');
  const [checked, setChecked] = useState<{
    readonly problem: Problem;
    readonly functions: readonly string[];
  }>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  const work = async (what: () => Promise<void>): Promise<void> => {
    setFailure(undefined);
    setIsBusy(true);
    try {
      await what();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setIsBusy(false);
    }
  };
  const check = async () => {
    const answer = await call(calls.checkPayScript, { code });
    setChecked(answer);
    return answer.problem === null;
  };
  const save = async () => {
    if (!(await check())) return;
    const draft = { code, note, origins: origins.split(/\s+/).filter(Boolean) };
    if (from) await send(calls.savePayScript, { id: from.script.id, ...draft }, t('people.saved'));
    else await send(calls.createPayScript, { name, ...draft }, t('people.saved'));
    onClose();
  };
  const { problem, functions } = checked ?? { problem: null, functions: [] };
  return (
    <Modal
      open
      width={1000}
      title={from ? `${t('payScripts.edit')} · ${from.script.name}` : t('payScripts.add')}
      // Blocks closing while set. Otherwise the late answer would close a dialog opened since.
      confirmLoading={isBusy}
      onCancel={onClose}
      maskClosable={false}
      footer={
        <>
          <Button disabled={isBusy} onClick={() => void work(async () => void (await check()))}>
            {t('payScripts.check')}
          </Button>
          <Button type="primary" loading={isBusy} onClick={() => void work(save)}>
            {t('payScripts.save')}
          </Button>
        </>
      }
    >
      <Form layout="vertical" size="small">
        {!from && (
          <Form.Item label={t('payScripts.name')} htmlFor="script-name" required>
            <Input
              id="script-name"
              maxLength={64}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Form.Item>
        )}
        <Form.Item
          label={t('payScripts.origins')}
          htmlFor="script-origins"
          extra={t('payScripts.originsHint')}
        >
          <Input.TextArea
            id="script-origins"
            rows={2}
            value={origins}
            onChange={(event) => setOrigins(event.target.value)}
          />
        </Form.Item>
        <Form.Item label={t('payScripts.note')} htmlFor="script-note">
          <Input
            id="script-note"
            maxLength={500}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </Form.Item>
      </Form>
      <Editor label={t('payScripts.code')} initial={initial} onChange={setCode} problem={problem} />
      {failure !== undefined && <Alert type="error" showIcon title={failure} />}
      {problem && (
        <Alert
          type="error"
          showIcon
          title={named('scriptFailures', problem.kind)}
          description={`${problem.message}${problem.line === null ? '' : ` · ${t('payScripts.line', { line: problem.line })}`}`}
        />
      )}
      {checked && !problem && (
        <Alert
          type="success"
          showIcon
          title={t('payScripts.reads', {
            functions: functions.map((each) => named('scriptFunctions', each)).join(', ') || '–',
          })}
        />
      )}
    </Modal>
  );
}
