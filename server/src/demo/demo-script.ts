import { readFile } from 'node:fs/promises';
import type { ScriptFunction } from '@sangam/contract/pay-scripts.ts';
import { sign } from '@sangam/contract/signature.ts';
import type { ApprovalHandlers } from '../approvals/approval.ts';
import { decide } from '../approvals/decide.ts';
import { DAY, HOUR, MINUTE } from '../platform/clock.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { createScript, saveScript } from '../channels/scripts/manage.ts';
import { askRelease } from '../channels/scripts/release.ts';
import { tryScript } from '../channels/scripts/try-script.ts';
import { must, personOf, platformAt } from './acting.ts';

/** The example of docs/pay-scripts.md, for the gateway that the simulators play. */
const EXAMPLE = new URL('../../../docs/pay-scripts/kosh-pay.js', import.meta.url);
const EXAMPLE_API = 'http://127.0.0.1:8095';
const NAME = 'Kosh Pay';

/** The line of the second version, and the line of the first draft, which took every error for a refusal. */
const CAREFUL = 'return code === 400 ? { refused: message } : { unknown: message };';
const RASH = 'return { refused: message };';
const CAREFUL_WORDS =
  /^ *\/\/ Only what it says it did not take is refused; anything else may have been taken\.\n/m;

/** Kosh Pay's name for the account that uses it. */
export const DEMO_MCH_ID = 'KOSH100';
const CONFIG = {
  accountNumber: DEMO_MCH_ID,
  keyId: 'kosh',
  keySecret: 'made-up',
  webhookSecret: 'made-up-too',
};
const ORDER = {
  orderCode: '900000000000000001',
  amount: '1250.00',
  currency: 'INR',
  notifyUrl: 'https://pay.example.com/v1.0/gateway/script/1/mark',
  returnUrl: 'https://shop.example.com/',
};

/** How long ago this was. Records of calls are listed for a week and kept for a month. */
const AGE = 2 * DAY;

export interface DemoScript {
  readonly scriptId: bigint;
  /** The gateway's URL, where the simulators play it. */
  readonly url: string;
  readonly liveAt: Date;
}

interface Try {
  readonly version: number;
  readonly function: ScriptFunction;
  readonly input: object;
  readonly answers: readonly { readonly status: number; readonly body: string }[];
}

/**
 * Makes a pay script as two people made it: a first version, a second version, tries of both on written requests, and the release. Uses the
 * real commands within the seed's transaction.
 */
export async function makeDemoScript(
  platform: Platform,
  tx: Tx,
  userIds: ReadonlyMap<string, bigint>,
  approvals: ApprovalHandlers,
): Promise<DemoScript> {
  const url = platform.config.demoScriptUrl;
  const code = (await readFile(EXAMPLE, 'utf8')).replace(EXAMPLE_API, url);
  const [author, checker] = [
    personOf(userIds, 'support', 'technicalSupport'),
    personOf(userIds, 'superadmin', 'superAdmin'),
  ];
  const begin = platform.clock.now().getTime() - AGE;
  const at = (after: number) => platformAt(platform, tx, new Date(begin + after));
  const origins = [new URL(url).origin];
  const made = must(
    await createScript(at(0), author, {
      name: NAME,
      code: code.replace(CAREFUL, RASH).replace(CAREFUL_WORDS, ''),
      origins,
      note: 'First draft, by their manual',
    }),
  );
  const { id } = made;
  const tried = (after: number, { answers, ...each }: Try) =>
    tryScript(at(after), author, {
      id,
      version: each.version,
      function: each.function,
      input: JSON.stringify({ ...each.input, now: begin + after }),
      config: JSON.stringify(CONFIG),
      answers: [...answers],
    });
  for (const [index, each] of triesOf(1).entries()) must(await tried((20 + index * 4) * MINUTE, each));
  must(
    await saveScript(at(2 * HOUR), author, {
      id,
      code,
      origins,
      note: 'A payout is refused only where Kosh Pay says that it took nothing',
    }),
  );
  for (const [index, each] of triesOf(2).entries())
    must(await tried(2 * HOUR + (5 + index * 3) * MINUTE, each));
  const asked = await askRelease(at(3 * HOUR), author, { id, version: 2, reason: 'Tried on their samples' });
  const { todoId } = asked.data as { readonly todoId: string };
  must(
    await decide(at(4 * HOUR), approvals, checker, {
      id: BigInt(todoId),
      approve: true,
      reason: 'Read and compared with v1',
    }),
  );
  return { scriptId: BigInt(id), url, liveAt: new Date(begin + 4 * HOUR) };
}

function triesOf(version: number): readonly Try[] {
  const ok = (data: object) => ({ status: 200, body: JSON.stringify({ code: 0, message: 'ok', data }) });
  const trade = { order_no: ORDER.orderCode, trade_no: 'KPDEMO000001', amount: ORDER.amount };
  const payee = { name: 'Asha Rao', account: '50100123456789', ifsc: 'HDFC0000521', vpa: null, phone: null };
  const payout = { ...ORDER, payee };
  const take: Try = {
    version,
    function: 'createOrder',
    input: ORDER,
    answers: [ok({ ...trade, status: 'PENDING', utr: '', pay_url: 'https://kosh.example/pay/KPDEMO000001' })],
  };
  if (version === 1)
    return [
      // Their test system was down for a while.
      { ...take, answers: [{ status: 503, body: 'Service Unavailable' }] },
      take,
      {
        version,
        function: 'payout',
        input: payout,
        answers: [{ status: 200, body: '{"code":500,"message":"busy"}' }],
      },
    ];
  return [
    take,
    {
      version,
      function: 'query',
      input: { direction: 'in', orderCode: ORDER.orderCode, reference: trade.trade_no },
      answers: [ok({ ...trade, status: 'SUCCESS', utr: '418220400117' })],
    },
    {
      version,
      function: 'parseNotify',
      input: noticeOf({ ...trade, mch_id: CONFIG.accountNumber, status: 'SUCCESS', utr: '418220400117' }),
      answers: [],
    },
    {
      version,
      function: 'payout',
      input: payout,
      answers: [{ status: 200, body: '{"code":500,"message":"busy"}' }],
    },
  ];
}

/** A notice as Kosh Pay sends it. The signature covers its fields in order, without empty ones. */
function noticeOf(fields: Readonly<Record<string, string>>): object {
  const signature = sign(fields, 'hmac-sha256', CONFIG.webhookSecret);
  return {
    method: 'POST',
    query: {},
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, sign: signature }).toString(),
  };
}
