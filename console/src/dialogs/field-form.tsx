import { Form } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CODES } from '@sangam/contract/codes.ts';
import { CallError } from '../http/call-error.ts';
import type { DialogField } from './dialog-field.ts';
import { FormControl } from './form-control.tsx';
import { decimalsOf, fieldValue, typedValue } from './form-values.ts';

interface FieldForm {
  readonly form: ReactNode;
  /** Calls `send` with the input, without empty fields. Resolves to undefined where the form shows a missing or refused field. */
  readonly submit: <Answer>(
    send: (values: Readonly<Record<string, unknown>>) => Promise<Answer>,
  ) => Promise<{ readonly answer: Answer } | undefined>;
}

/** A form whose fields are data. Fields that the server refuses are marked in the form. Other refusals are thrown. */
export function useFieldForm(fields: readonly DialogField[]): FieldForm {
  const { t } = useTranslation();
  const [form] = Form.useForm<Record<string, unknown>>();
  const typed = Form.useWatch([], form) as Readonly<Record<string, unknown>> | undefined;
  const shown = fields.filter((field) => field.when?.(typed ?? initialTyped(fields)) ?? true);

  const submit: FieldForm['submit'] = async (send) => {
    const values = await form.validateFields().catch(() => undefined);
    if (!values) return undefined;
    const sent = shown.flatMap((field) => {
      const value = fieldValue(field, values[field.name]);
      return value === undefined ? [] : [[field.name, value] as const];
    });
    try {
      return { answer: await send(Object.fromEntries(sent)) };
    } catch (error) {
      const marked = refusedFields(error).flatMap(({ path, message }) => {
        const field = shown.find(({ name }) => name === path);
        return field ? [{ name: path, errors: [message ?? invalidText(field)] }] : [];
      });
      if (marked.length === 0) throw error;
      form.setFields(marked);
      return undefined;
    }
  };

  function invalidText(field: DialogField): string {
    return 'invalid' in field && field.invalid
      ? field.invalid
      : t(`form.invalid.${field.kind}`, { decimals: decimalsOf(field) });
  }

  return {
    submit,
    form: (
      <Form form={form} layout="vertical" requiredMark={false} initialValues={initialTyped(fields)}>
        {shown.map((field) => (
          <Form.Item
            key={field.name}
            name={field.name}
            label={field.label}
            extra={field.hint}
            {...(field.kind === 'flag' ? { valuePropName: 'checked' } : {})}
            rules={[
              {
                required: field.required ?? false,
                ...(field.kind === 'text' || field.kind === 'lines' ? { whitespace: true } : {}),
                message: t('form.required'),
              },
              {
                validator: async (_, value: unknown) => {
                  try {
                    fieldValue(field, value);
                  } catch {
                    throw new Error(invalidText(field));
                  }
                },
              },
            ]}
          >
            <FormControl field={field} />
          </Form.Item>
        ))}
      </Form>
    ),
  };
}

const initialTyped = (fields: readonly DialogField[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field.name, typedValue(field, field.initial)]));

/**
 * The fields that a refusal names, each with its problem. The server's own sentence is left out where it only names the call's
 * fields.
 */
function refusedFields(error: unknown): readonly { readonly path: string; readonly message?: string }[] {
  if (!(error instanceof CallError)) return [];
  const { fields } = (error.data ?? {}) as { fields?: unknown };
  if (!Array.isArray(fields)) return [];
  const said = error.code === CODES.invalidInput.code ? {} : { message: error.message };
  // Refusals name an entry of a list as `payInIps.2`; the form marks the field of the whole list.
  return (fields as { path: string; message?: string }[]).map((field) => ({
    ...said,
    ...field,
    path: field.path.split('.', 1)[0]!,
  }));
}
