import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { DialogField } from '../dialogs/dialog-field.ts';
import { useFieldForm } from '../dialogs/field-form.tsx';
import { Facts, NothingYet, Raw } from '../figures/details.tsx';
import { call } from '../http/client.ts';
import { useNames } from '../language/names.ts';
import { productLabel } from '../language/product-label.ts';
import styles from './interface-test.module.css';
import { useAttempt } from './use-attempt.ts';
import { CREATE_PATH, type OwnInterface, type OwnProduct, unitsOf, wireAmount } from './own-interface.ts';

interface Exchange {
  readonly url: string;
  readonly stringToSign: string;
  readonly request: string;
  readonly status: number;
  readonly answer: string;
  readonly payUrl: string | undefined;
}

/** Creates a real order: signs the fields, sends them as the merchant's server would, and shows request and answer. */
export function CreateTester({ own }: { readonly own: OwnInterface }) {
  const { t } = useTranslation();
  const name = useNames();
  const products = own.products.filter(({ enabled }) => enabled);
  const [productId, setProductId] = useState(products[0]?.productId);
  const product = products.find((each) => each.productId === productId);
  if (!product) return <NothingYet text={t('interface.noProducts')} />;
  const choices = products.map((each) => ({
    value: each.productId,
    label: `${each.productId} ${productLabel(name, each.productId, each.productName)}`,
  }));
  return (
    <ProductForm
      // Each product has its own form.
      key={product.productId}
      product={product}
      choices={choices}
      onChoose={setProductId}
    />
  );
}

interface ProductFormProps {
  readonly product: OwnProduct;
  readonly choices: readonly { readonly value: number; readonly label: string }[];
  readonly onChoose: (productId: number) => void;
}

function ProductForm({ product, choices, onChoose }: ProductFormProps) {
  const { t } = useTranslation();
  const { currency, payeeFields } = product;
  const [number] = useState(() => `T${Date.now()}`);
  const text = (field: string, required = false, initial?: string): DialogField => ({
    name: field,
    label: field,
    kind: 'text',
    maxLength: 512,
    required,
    initial,
  });
  const { form, submit } = useFieldForm([
    {
      name: 'productId',
      label: 'productId',
      kind: 'choice',
      options: choices,
      initial: product.productId,
      required: true,
      onChange: (chosen) => onChoose(chosen as number),
    },
    {
      name: 'amount',
      label: 'amount',
      hint: t('interface.amountHint', { factor: unitsOf(currency).toLocaleString('en-US') }),
      kind: 'money',
      currency,
      decimals: Math.log10(unitsOf(currency)),
      initial: product.minAmount,
      required: true,
    },
    text('mchOrderNo', true, number),
    text('notifyUrl', true),
    ...payeeFields.map((field) => text(field, true)),
    ...(product.direction === 'in' ? [text('userName'), text('subject'), text('returnUrl')] : []),
    text('param1'),
    {
      name: 'extra',
      label: t('interface.extra'),
      hint: t('interface.extraHint'),
      kind: 'lines',
      maxLength: 2_000,
    },
  ]);

  const send = async (values: Readonly<Record<string, unknown>>): Promise<Exchange> => {
    const { extra = '', amount, ...rest } = values;
    const fields = Object.fromEntries([
      ...Object.entries({ ...rest, amount: wireAmount(amount as number, currency) }).map(
        ([field, value]) => [field, String(value)] as const,
      ),
      ...pairsOf(extra as string),
    ]);
    const signed = await call(endpoints.interfaceTest.signFields, { fields, path: CREATE_PATH });
    const request = JSON.stringify({ ...signed.fields, sign: signed.sign }, null, 2);
    // Sent as the merchant's server does: without session and token.
    const response = await fetch(signed.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'omit',
      body: request,
    }).catch((cause: unknown) => {
      throw new Error(t('errors.noAnswer'), { cause });
    });
    const answer = await response.text();
    return {
      url: signed.url,
      stringToSign: signed.stringToSign,
      request,
      status: response.status,
      answer: pretty(answer),
      payUrl: payUrlOf(answer),
    };
  };

  const { answer: exchange, failure, busy, run } = useAttempt(() => submit(send));

  return (
    <div className={styles['halves']}>
      <div>
        {form}
        <Button type="primary" loading={busy} onClick={() => void run()}>
          {t('interface.send')}
        </Button>
        <p className={styles['soft']}>{t('interface.realOrder')}</p>
      </div>
      <div aria-live="polite">
        {failure && <Alert type="error" showIcon title={failure} />}
        {exchange ? (
          <>
            <Raw title={t('interface.stringToSign')} text={exchange.stringToSign} />
            <Raw title={`POST ${exchange.url}`} text={exchange.request} />
            <Raw title={`${t('orders.answer')} · HTTP ${exchange.status}`} text={exchange.answer} />
            {exchange.payUrl && (
              <Facts
                facts={[
                  [
                    'payUrl',
                    <a href={exchange.payUrl} target="_blank" rel="noreferrer">
                      {t('interface.openCashier')}
                    </a>,
                  ],
                ]}
              />
            )}
          </>
        ) : (
          !failure && <NothingYet text={t('interface.nothingSent')} />
        )}
      </div>
    </div>
  );
}

/** Parses lines of `name=value`. */
function pairsOf(text: string): [string, string][] {
  return text.split('\n').flatMap((line) => {
    const at = line.indexOf('=');
    return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1).trim()] satisfies [string, string]] : [];
  });
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Only an http or https address becomes a link. */
function payUrlOf(text: string): string | undefined {
  try {
    const { data } = JSON.parse(text) as { data?: { payUrl?: unknown } };
    return typeof data?.payUrl === 'string' && /^https?:\/\//.test(data.payUrl) ? data.payUrl : undefined;
  } catch {
    return undefined;
  }
}
