import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { Facts, NothingYet, Raw, Section } from '../figures/details.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import type { OutputOf } from '../http/call-types.ts';
import { useCall } from '../http/use-call.ts';
import { useSend } from '../http/use-send.ts';
import { useNames } from '../language/names.ts';
import { OrderLinks } from '../orders/order-links.tsx';

type TestOrder = OutputOf<typeof endpoints.testOrder.getTestOrder>;

const EVERY_MS = 1_000;

/** The steps of a test order, reloaded every second. */
export function TestOrderSteps({ mchOrderNo }: { readonly mchOrderNo: string }) {
  const { t } = useTranslation();
  const name = useNames();
  const order = useCall(endpoints.testOrder.getTestOrder, { mchOrderNo }, { everyMs: EVERY_MS });
  if (order.isError) return <Alert type="error" showIcon title={order.error.message} />;
  if (!order.data) return null;
  const { orderCode, status, payable, currency, payUrl, steps } = order.data;
  return (
    <Section title={mchOrderNo} extra={order.data.canPay && <PayButton mchOrderNo={mchOrderNo} />}>
      <Facts
        facts={[
          [t('testOrder.order'), orderCode && <OrderLinks codes={[orderCode]} count={1} />],
          [
            t('entity.status'),
            status === null ? t('testOrder.notCreated') : name('collectionStatus', status),
          ],
          [t('testOrder.payable'), currency && <Money minor={payable} currency={currency} />],
          [
            t('testOrder.payPage'),
            payUrl && (
              <a href={payUrl} target="_blank" rel="noreferrer">
                {t('testOrder.openPayPage')}
              </a>
            ),
          ],
        ]}
      />
      {steps.length > 0 && (
        <PlainTable
          rows={steps.map((step, index) => ({ ...step, index }))}
          keyOf={({ index }) => String(index)}
          columns={[
            { title: t('audit.time'), cell: ({ time }) => <Moment time={time} exact /> },
            { title: t('testOrder.step'), cell: ({ kind }) => name('events', kind) },
            {
              title: t('entity.status'),
              cell: ({ toStatus }) => (toStatus === null ? '–' : name('collectionStatus', toStatus)),
            },
          ]}
        />
      )}
      <Notified order={order.data} />
    </Section>
  );
}

function Notified({ order: { attempts, caught } }: { readonly order: TestOrder }) {
  const { t } = useTranslation();
  return (
    <>
      <Section title={t('testOrder.attempts')} count={attempts.length}>
        {attempts.length === 0 && <NothingYet text={t('testOrder.noAttempts')} />}
        {attempts.length > 0 && (
          <PlainTable
            rows={attempts.map((attempt, index) => ({ ...attempt, index }))}
            keyOf={({ index }) => String(index)}
            columns={[
              { title: t('audit.time'), cell: ({ time }) => <Moment time={time} exact /> },
              { title: t('testOrder.address'), cell: ({ url }) => url },
              { title: 'HTTP', cell: ({ httpStatus }) => httpStatus ?? '–' },
              { title: t('testOrder.answer'), cell: ({ answer }) => answer ?? '–' },
            ]}
          />
        )}
      </Section>
      {caught.map(({ time, body }, index) => (
        <Raw key={`${time} ${String(index)}`} title={`${t('testOrder.caught')} · ${time}`} text={body} />
      ))}
    </>
  );
}

function PayButton({ mchOrderNo }: { readonly mchOrderNo: string }) {
  const { t } = useTranslation();
  const send = useSend(endpoints.testOrder.getTestOrder);
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button onClick={() => setAsked(true)}>{t('testOrder.pay')}</Button>
      {asked && (
        <DecisionDialog
          title={t('testOrder.pay')}
          consequence={t('testOrder.payText')}
          okText={t('testOrder.pay')}
          onConfirm={async () => {
            await send(endpoints.testOrder.payTestOrder, { mchOrderNo }, t('testOrder.paid'));
            return true;
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
