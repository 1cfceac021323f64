import { catcherUrl } from '@sangam/contract/demo-catcher.ts';
import { callLine, type SignType } from '@sangam/contract/sign-types.ts';
import { apiBase, CREATE_PATH, type OwnInterface, type OwnProduct } from './own-interface.ts';

export interface Chosen {
  /** The end of the order number and the payout number. */
  readonly number: string;
  /** Amount in paise. */
  readonly amount: number;
}

interface SandboxLine {
  readonly call: 'create' | 'query' | 'payout' | 'queryMerchantBalance';
  readonly text: string;
}

const UPI = 1010;
const PAYEE = {
  userName: 'Asha',
  cardNumber: '501000123456',
  ifscCode: 'HDFC0000521',
  bankName: 'HDFC',
} as const;

/** Shell commands that create an order, query it, create a payout and query the balance, as the merchant's server would. */
export function sandboxLines(own: OwnInterface, secret: string, { number, amount }: Chosen): SandboxLine[] {
  const line = (path: string, fields: Readonly<Record<string, string>>) =>
    shellCall(`${apiBase(own)}${path}`, path, { mchId: own.mchId, ...fields }, own.signType, secret);
  const creates = (mchOrderNo: string, { productId }: OwnProduct, payee = {}) =>
    line(CREATE_PATH, {
      productId: String(productId),
      mchOrderNo,
      amount: String(amount),
      notifyUrl: catcherUrl(own.mchId, mchOrderNo),
      ...payee,
    });
  const open = own.products.filter(({ enabled, currency }) => enabled && currency === 'INR');
  const payIn =
    open.find(({ productId }) => productId === UPI) ?? open.find(({ direction }) => direction === 'in');
  const payout = open.find(({ payeeFields }) => payeeFields.includes('ifscCode'));
  const [order, out] = [`ORDER${number}`, `PAYOUT${number}`];
  return [
    ...(payIn ? [{ call: 'create', text: creates(order, payIn) } as const] : []),
    { call: 'query', text: line('/v1.0/api/order/query', { mchOrderNo: order }) },
    ...(payout ? [{ call: 'payout', text: creates(out, payout, PAYEE) } as const] : []),
    { call: 'queryMerchantBalance', text: line('/v1.0/api/order/queryMerchantBalance', {}) },
  ];
}

/** Time and nonce are computed by the shell when the line runs, so a line stays valid. No value here needs quoting. */
function shellCall(
  url: string,
  path: string,
  fields: Readonly<Record<string, string>>,
  signType: SignType,
  secret: string,
): string {
  const once = signType === 'md5' ? {} : { nonce: '$(openssl rand -hex 8)', timestamp: '$(date +%s)000' };
  const joined = Object.entries({ ...fields, ...once })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const line = signType === 'hmac-sha256-v2' ? `${callLine({ method: 'POST', path })}\\n` : '';
  const signed =
    signType === 'md5'
      ? `printf '%s&secretKey=%s' "$F" '${secret}' | openssl md5 | sed 's/.* //' | tr a-f A-F`
      : `printf '${line}%s' "$F" | openssl dgst -sha256 -hmac '${secret}' | sed 's/.* //'`;
  return [`F="${joined}"`, `S=$(${signed})`, `curl '${url}' -d "$F&sign=$S"`].join('\n');
}
