import { useQueryClient } from '@tanstack/react-query';
import { App, Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { SignerCodeField } from '../dialogs/signer-code-field.tsx';
import { Money } from '../figures/money.tsx';
import { call } from '../http/client.ts';
import { callKey } from '../http/call-key.ts';
import { useNames } from '../language/names.ts';
import type { Todo, TodoAnswer } from './todo.ts';
import { TodoSubject } from './todo-subject.tsx';

interface AnswerDialogProps {
  readonly todo: Todo;
  readonly answer: TodoAnswer;
  /** The request is settled: what still shows it as waiting should go. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Approves (which executes), refuses or takes back a request. */
export function AnswerDialog({ todo, answer, onDone, onClose }: AnswerDialogProps) {
  const { t } = useTranslation();
  const name = useNames();
  const { message } = App.useApp();
  const queries = useQueryClient();
  const [form] = Form.useForm<{ readonly reason: string; readonly code?: string }>();

  const confirm = async () => {
    const said = await form.validateFields().catch(() => undefined);
    if (!said) return false;
    const reason = said.reason?.trim();
    if (answer === 'withdraw') await call(endpoints.todo.withdraw, { id: todo.id });
    else {
      await call(endpoints.todo.decide, {
        id: todo.id,
        approve: answer === 'approve',
        ...(reason ? { reason } : {}),
        ...(said.code ? { code: said.code.trim() } : {}),
      });
    }
    message.success(t(`todo.done.${answer}`));
    onDone?.();
    await Promise.all(
      [endpoints.todo.getMine, endpoints.todo.getStarted].map((definition) =>
        queries.invalidateQueries({ queryKey: callKey(definition) }),
      ),
    );
    return true;
  };

  return (
    <DecisionDialog
      title={`${name('approvalActions', answer)}: ${name('approvalKinds', todo.kind)}`}
      facts={[
        [t('todo.subject'), <TodoSubject todo={todo} />],
        todo.amount !== null &&
          todo.currency !== null && [
            t('approvalFields.amount'),
            <Money minor={todo.amount} currency={todo.currency} strong />,
          ],
        [t('todo.startedBy'), todo.startedBy],
        [t('fund.reason'), todo.reason],
      ]}
      consequence={t(`todo.consequence.${answer}`)}
      okText={name('approvalActions', answer)}
      danger={answer === 'refuse'}
      onConfirm={confirm}
      onClose={onClose}
    >
      {answer !== 'withdraw' && (
        <Form form={form} layout="vertical" requiredMark={false} initialValues={{ reason: '' }}>
          {answer === 'approve' && todo.kind === 'usdtRelease' && <SignerCodeField />}
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
