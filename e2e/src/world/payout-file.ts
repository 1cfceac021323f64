import { createHash, randomUUID } from 'node:crypto';
import { CODES } from '@sangam/contract/codes.ts';
import type { Envelope } from '@sangam/contract/endpoint.ts';
import { createBatch } from '@sangam/contract/endpoints/outside.ts';
import { callLine } from '@sangam/contract/sign-types.ts';
import { sign } from '@sangam/contract/signature.ts';
import { demo, serverUrl } from './demo.ts';
import { bookMoneyFor } from './funds.ts';

/** The merchant's server uploads a file of payouts with these amounts (rupees), all to accounts of one bank. */
export async function uploadPayouts(amounts: readonly number[], account = 'merchant1'): Promise<void> {
  const merchant = demo().merchants.find((candidate) => candidate.account === account)!;
  await bookMoneyFor(merchant.mchId);
  const key = randomUUID();
  const rows = amounts.map(
    (amount, index) =>
      `${key.slice(0, 8)}-${index},2001,${amount}00,Asha Rao,5010012345${6700 + index},HDFC0000521,HDFC Bank`,
  );
  const csv = ['mchOrderNo,productId,amount,userName,cardNumber,ifscCode,bankName', ...rows].join('\n');
  const fields = {
    mchId: merchant.mchId,
    orderType: '1',
    key,
    fileHash: createHash('sha256').update(csv).digest('hex'),
    timestamp: String(Date.now()),
    nonce: randomUUID(),
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('sign', sign(fields, merchant.signType, merchant.secret, callLine(createBatch)));
  form.set('file', new Blob([csv]), 'payouts.csv');
  const response = await fetch(`${serverUrl}${createBatch.path}`, { method: createBatch.method, body: form });
  const answer = (await response.json()) as Envelope<unknown>;
  if (answer.code !== CODES.ok.code) throw new Error(`payouts by file: ${JSON.stringify(answer)}`);
}

const DAY_MS = 24 * 3600 * 1000;

/** A valid payment time for a batch, in the format of the console's fields. */
export const tomorrowNoon = (): string =>
  `${new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)} 12:00:00`;
