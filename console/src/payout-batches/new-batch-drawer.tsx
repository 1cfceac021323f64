import { useQueryClient } from '@tanstack/react-query';
import { Alert, Button, Drawer, Form, type FormInstance, Steps } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { MOST_BATCH_ORDERS } from '@sangam/contract/payout-batches.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { fieldValue } from '../dialogs/form-values.ts';
import { FormControl } from '../dialogs/form-control.tsx';
import { Money } from '../figures/money.tsx';
import { call } from '../http/client.ts';
import { isHandled } from '../http/call-error.ts';
import { callKey } from '../http/call-key.ts';
import type { OutputOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import { useIsNarrow } from '../appearance/use-media.ts';
import type { BatchPreview as Preview } from './batch.ts';
import { BatchPreview } from './batch-preview.tsx';
import styles from './payout-batches.module.css';

interface NewBatchDrawerProps {
  readonly onCreated: (batchId: string) => void;
  readonly onClose: () => void;
}

interface Wanted {
  readonly accountId: string;
  readonly templateId: string;
  readonly minAmount: number;
  readonly maxAmount: number;
  readonly orderCount: number;
  readonly payTime: string;
}

/** The criteria for the payouts of a batch. The templates offered are those that fit the account. */
function useFields(
  options: OutputOf<typeof endpoints.payoutBatch.getPayoutBatchOptions> | undefined,
  form: FormInstance<Record<string, unknown>>,
  accountId: unknown,
): readonly DialogField[] {
  const { t } = useTranslation();
  const account = options?.accounts.find(({ id }) => id === accountId);
  const currency = account?.currency ?? 'INR';
  const templates = options?.templates.filter(
    ({ bank, products }) =>
      !account ||
      ((bank === '' || account.ifsc?.startsWith(bank) === true) &&
        products.some((product) => account.products.includes(product))),
  );
  return [
    {
      name: 'accountId',
      kind: 'choice',
      label: t('batches.account'),
      required: true,
      options: (options?.accounts ?? []).map(({ id, name, supplierName }) => ({
        value: id,
        label: `${name} · ${supplierName}`,
      })),
      onChange: () => form.setFieldValue('templateId', undefined),
    },
    {
      name: 'templateId',
      kind: 'choice',
      label: t('batches.template'),
      required: true,
      options: (templates ?? []).map(({ id, name, ready, readsResult }) => ({
        value: id,
        label: !ready
          ? t('batches.templateNotReady', { name })
          : readsResult
            ? name
            : t('batches.templateNoResult', { name }),
      })),
    },
    { name: 'minAmount', kind: 'money', currency, label: t('batches.minAmount'), required: true },
    { name: 'maxAmount', kind: 'money', currency, label: t('batches.maxAmount'), required: true },
    {
      name: 'orderCount',
      kind: 'whole',
      min: 1,
      max: MOST_BATCH_ORDERS,
      label: t('batches.orderCount'),
      hint: t('batches.orderCountHint', { most: MOST_BATCH_ORDERS }),
      required: true,
    },
    {
      name: 'payTime',
      kind: 'time',
      notPast: true,
      label: t('batches.payTime'),
      hint: t('batches.payTimeHint'),
      required: true,
    },
  ];
}

/** Chooses the payouts of a batch, shows them, and locks them. */
export function NewBatchDrawer({ onCreated, onClose }: NewBatchDrawerProps) {
  const { t } = useTranslation();
  const narrow = useIsNarrow();
  const queries = useQueryClient();
  const [form] = Form.useForm<Record<string, unknown>>();
  const typed = Form.useWatch([], form) as Readonly<Record<string, unknown>> | undefined;
  const options = useCall(endpoints.payoutBatch.getPayoutBatchOptions, {});
  // One key per wizard: a double click, or a new try after a lost answer, makes one batch.
  const [key] = useState(() => crypto.randomUUID());
  const [shown, setShown] = useState<{ readonly wanted: Wanted; readonly preview: Preview }>();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  const fields = useFields(options.data, form, typed?.['accountId']);

  const wantedOf = (values: Readonly<Record<string, unknown>>): Wanted | undefined => {
    try {
      const entries = fields.map((field) => [field.name, fieldValue(field, values[field.name])]);
      return Object.fromEntries(entries) as unknown as Wanted;
    } catch {
      return undefined;
    }
  };

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setRefusal(undefined);
    try {
      await work();
    } catch (error) {
      if (!isHandled(error)) setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  const look = () =>
    attempt(async () => {
      const values = await form.validateFields().catch(() => undefined);
      const wanted = values && wantedOf(values);
      if (!wanted) return;
      const { payTime: _payTime, ...selection } = wanted;
      setShown({ wanted, preview: await call(endpoints.payoutBatch.previewPayoutBatch, selection) });
    });
  const create = () =>
    attempt(async () => {
      const made = await call(endpoints.payoutBatch.createPayoutBatch, { ...shown!.wanted, key });
      await queries.invalidateQueries({ queryKey: callKey(endpoints.payoutBatch.getPayoutBatchList) });
      onCreated(made.batchId);
    });

  return (
    <Drawer
      open
      size={narrow ? '100%' : 640}
      title={t('batches.new')}
      mask={{ closable: false }}
      onClose={onClose}
      footer={
        <div className={styles['buttons']}>
          {shown ? (
            <>
              <Button onClick={() => setShown(undefined)}>{t('batches.back')}</Button>
              <Button
                type="primary"
                loading={busy}
                disabled={shown.preview.count === 0}
                onClick={() => void create()}
              >
                {t('batches.create', { count: shown.preview.count })}
              </Button>
            </>
          ) : (
            <Button type="primary" loading={busy} onClick={() => void look()}>
              {t('batches.preview')}
            </Button>
          )}
        </div>
      }
    >
      <Steps
        className={styles['steps'] ?? ''}
        size="small"
        current={shown ? 1 : 0}
        items={[{ title: t('batches.stepChoose') }, { title: t('batches.stepPreview') }]}
      />
      <div className={styles['stack']}>
        {refusal && <Alert type="error" showIcon title={refusal} />}
        {options.isError && <Alert type="error" showIcon title={t('batches.optionsFailed')} />}
        {options.data?.accounts.length === 0 && (
          <Alert type="warning" showIcon title={t('batches.noAccounts')} />
        )}
        {shown && <BatchPreview preview={shown.preview} payTime={shown.wanted.payTime} />}
        <div hidden={shown !== undefined}>
          <SelectionForm form={form} fields={fields} />
          <Fitting wanted={typed && wantedOf(typed)} />
        </div>
      </div>
    </Drawer>
  );
}

interface SelectionFormProps {
  readonly form: FormInstance<Record<string, unknown>>;
  readonly fields: readonly DialogField[];
}

function SelectionForm({ form, fields }: SelectionFormProps) {
  const { t } = useTranslation();
  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={{ orderCount: String(MOST_BATCH_ORDERS), minAmount: '1' }}
    >
      <div className={styles['pair']}>
        {fields.map((field) => (
          <Form.Item
            key={field.name}
            name={field.name}
            label={field.label}
            extra={field.hint}
            dependencies={field.name === 'maxAmount' ? ['minAmount'] : []}
            rules={[
              { required: true, message: t('form.required') },
              {
                validator: async (_, value: unknown) => {
                  const wrong = problemOf(field, value);
                  if (wrong) throw new Error(t(`form.invalid.${field.kind}`));
                  if (field.name === 'payTime' && String(value) < formatTime(new Date()))
                    throw new Error(t('batches.payTimePast'));
                  if (field.name !== 'maxAmount') return;
                  const [min, max] = [fields[2]!, fields[3]!].map((each) =>
                    amountOf(each, form.getFieldValue(each.name) as unknown),
                  );
                  if (min !== undefined && max !== undefined && min > max)
                    throw new Error(t('batches.minOverMax'));
                },
              },
            ]}
          >
            <FormControl field={field} />
          </Form.Item>
        ))}
      </div>
    </Form>
  );
}

function problemOf(field: DialogField, value: unknown): boolean {
  try {
    fieldValue(field, value);
    return false;
  } catch {
    return true;
  }
}

function amountOf(field: DialogField, value: unknown): number | undefined {
  return problemOf(field, value) ? undefined : (fieldValue(field, value) as number | undefined);
}

/** How many waiting payouts match, updated while the user types. */
function Fitting({ wanted }: { readonly wanted: Wanted | undefined }) {
  const { t } = useTranslation();
  const { accountId, templateId, minAmount, maxAmount } = wanted ?? {};
  const isWhole =
    accountId !== undefined &&
    templateId !== undefined &&
    minAmount !== undefined &&
    maxAmount !== undefined &&
    minAmount <= maxAmount;
  const count = useCall(
    endpoints.payoutBatch.countPayoutBatch,
    {
      accountId: accountId ?? '',
      templateId: templateId ?? '',
      minAmount: minAmount ?? 0,
      maxAmount: maxAmount ?? 0,
    },
    { enabled: isWhole, keepPrevious: true },
  );
  return (
    <div className={styles['fits']} role="status">
      {!isWhole ? (
        <span className={styles['note']}>{t('batches.fitsHint')}</span>
      ) : count.isError ? (
        t('batches.countFailed', { reason: count.error.message })
      ) : (
        count.data && (
          <p className={styles['figures']}>
            <span>{t('batches.fits', { count: count.data.count })}</span>
            <Money minor={count.data.sum} currency={count.data.currency} strong />
          </p>
        )
      )}
    </div>
  );
}
