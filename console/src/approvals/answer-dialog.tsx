import { useQueryClient } from '@tanstack/react-query';
import { App, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { OnceDialog } from '../dialogs/once-dialog.tsx';
import { SignerCodeField } from '../dialogs/signer-code-field.tsx';
import { Money } from '../figures/money.tsx';
import { call } from '../http/client.ts';
import type { OutputOf } from '../http/call-types.ts';
import { callKey } from '../http/call-key.ts';
import { useNames } from '../language/names.ts';
import { SET_PASSWORDS } from '../navigation/guard.ts';
import { type Approval, type ApprovalAnswer, requestName } from './approval.ts';
import { ApprovalSubject } from './approval-subject.tsx';

interface AnswerDialogProps {
  readonly approval: Approval;
  readonly answer: ApprovalAnswer;
  /** Called when the request has been answered, so that what still shows it as waiting can go. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Changes of a user that produce a link. The person who approves hands the link to the user. */
const LINKS: readonly unknown[] = ['passwords', 'invited'];

/** Approves a request (which executes it), refuses it, or takes it back. */
export function AnswerDialog({ approval, answer, onDone, onClose }: AnswerDialogProps) {
  const { t } = useTranslation();
  const name = useNames();
  const { message } = App.useApp();
  const queries = useQueryClient();
  const [link, setLink] = useState<OutputOf<typeof endpoints.admin.makePasswordLink>>();
  const [form] = Form.useForm<{ readonly reason: string; readonly code?: string }>();

  const confirm = async () => {
    const said = await form.validateFields().catch(() => undefined);
    if (!said) return false;
    const reason = said.reason?.trim();
    if (answer === 'withdraw') await call(endpoints.todo.withdraw, { id: approval.id });
    else {
      await call(endpoints.todo.decide, {
        id: approval.id,
        approve: answer === 'approve',
        ...(reason ? { reason } : {}),
        ...(said.code ? { code: said.code.trim() } : {}),
      });
    }
    message.success(t(`todo.done.${answer}`));
    const isLink = LINKS.includes(approval.payload['userChange']) && answer === 'approve';
    if (isLink) setLink(await call(endpoints.admin.makePasswordLink, { todoId: approval.id }));
    else onDone?.();
    await Promise.all(
      [endpoints.todo.getMine, endpoints.todo.getStarted].map((definition) =>
        queries.invalidateQueries({ queryKey: callKey(definition) }),
      ),
    );
    return !isLink;
  };
  if (link) {
    const { account, token } = link;
    const close = () => {
      onDone?.();
      onClose();
    };
    return (
      <OnceDialog
        title={`${requestName(name, approval)} · ${account}`}
        hint={t('people.linkShown', { account })}
        secrets={[{ label: t('people.link'), value: `${location.origin}${SET_PASSWORDS}#${token}` }]}
        onClose={close}
      />
    );
  }

  const spent = [approval.payload['spent'] ?? []].flat().length;
  return (
    <DecisionDialog
      title={`${name('approvalActions', answer)}: ${requestName(name, approval)}`}
      facts={[
        [t('todo.subject'), <ApprovalSubject approval={approval} />],
        approval.amount !== null &&
          approval.currency !== null && [
            t('approvalFields.amount'),
            <Money minor={approval.amount} currency={approval.currency} strong />,
          ],
        spent > 0 && [t('approvalFields.spent'), String(spent)],
        [t('todo.startedBy'), approval.startedBy],
        [t('fund.reason'), approval.reason],
      ]}
      consequence={t(`todo.consequence.${answer}`)}
      okText={name('approvalActions', answer)}
      danger={answer === 'refuse'}
      onConfirm={confirm}
      onClose={onClose}
    >
      {answer !== 'withdraw' && (
        <Form form={form} layout="vertical" requiredMark={false} initialValues={{ reason: '' }}>
          {answer === 'approve' && approval.kind === 'usdtRelease' && <SignerCodeField />}
          <Form.Item
            name="reason"
            label={t('todo.decideReason')}
            rules={
              answer === 'refuse'
                ? [{ required: true, whitespace: true, message: t('todo.reasonRequired') }]
                : []
            }
          >
            <Input.TextArea autoFocus maxLength={256} autoSize={{ minRows: 2, maxRows: 4 }} />
          </Form.Item>
        </Form>
      )}
    </DecisionDialog>
  );
}
