import { randomUUID } from 'node:crypto';
import { sign } from '@sangam/contract/signature.ts';
import { callLine } from '@sangam/contract/sign-types.ts';
import { sql } from '@sangam/server/platform/db/database.ts';
import type { DemoMerchant } from '../../demo-file.ts';
import type { Attack } from './attack.ts';
import { hostile } from './network.ts';
import { callerFrom, MERCHANT_API, newOrder, signed, type Fields } from './wire.ts';

const ROUNDS = 40;
const TOO_OLD_MS = 10 * 60_000;

/** Replays a signed call, changes it, sends it elsewhere, or makes a call without the secret. */
export const signatures: Attack = {
  name: 'signatures: again, changed, for another call, without the secret',
  async run({ demo, node }) {
    const caller = callerFrom(hostile(2));
    const through: string[] = [];
    let tried = 0;
    const send = (path: string, body: unknown, headers = {}) => caller.ask({ path, body, headers });
    const mustFail = async (what: string, path: string, body: unknown, headers = {}) => {
      tried += 1;
      const { code, text } = await send(path, body, headers);
      if (code === 200 || text.includes('"retCode":"SUCCESS"'))
        through.push(`${what}: ${text.slice(0, 160)}`);
    };
    // MD5 merchants sign no time, so their calls can be replayed, as docs/security.md says.
    for (const merchant of demo.merchants.filter(({ signType }) => signType !== 'md5'))
      for (let round = 0; round < ROUNDS; round += 1) {
        const { create, query, cancel, balance } = MERCHANT_API;
        const fields = newOrder();
        const call = signed(merchant, create, fields);
        const made = await send(create, call);
        if (made.code !== 200) throw new Error(`an honest create was refused: ${made.text.slice(0, 300)}`);
        await mustFail('a create sent again', create, call);
        const fresh = () => signed(merchant, create, newOrder());
        for (const [name, value] of [
          ['mchOrderNo', 'OTHER-1'],
          ['amount', '99999900'],
          ['notifyUrl', 'http://other.example/'],
          ['nonce', 'another'],
          ['timestamp', String(Date.now() + 1)],
          ['mchId', demo.merchants[0]!.mchId],
        ] as const)
          await mustFail(`a create with another ${name}`, create, { ...fresh(), [name]: value });
        const seen = signed(merchant, create, { mchOrderNo: fields['mchOrderNo']! });
        for (const path of [query, cancel, balance])
          await mustFail(`a signature of create at ${path}`, path, seen);
        for (const [what, body] of forgeries(merchant, demo.merchants[0]!))
          await mustFail(what, create, body);
        await mustFail('a form with a field twice', create, twice(fresh()), FORM);
      }
    caller.close();
    const [row] = await node.owner.query<{ twice: number }>(sql`
      select count(*)::int as twice from (select 1 from collection_orders where mch_order_no like 'ATTACK-%'
        group by merchant_id, mch_order_no having count(*) > 1) d`);
    if (row!.twice > 0) through.push(`${row!.twice} orders were made twice`);
    return { tried, through };
  },
};

function forgeries(merchant: DemoMerchant, other: DemoMerchant): [string, unknown][] {
  const { mchId } = merchant;
  const fields = (): Fields => ({ mchId, ...newOrder(), timestamp: String(Date.now()), nonce: randomUUID() });
  const line = callLine({ method: 'POST', path: MERCHANT_API.create });
  const by = (secret: string, type = merchant.signType) => {
    const whole = fields();
    return { ...whole, sign: sign(whole, type, secret, line) };
  };
  const right = by(merchant.secret);
  return [
    ['no signature', fields()],
    ['an empty signature', { ...fields(), sign: '' }],
    ['a signature that is a list', { ...right, sign: [right.sign] }],
    ['a signature that is an object', { ...right, sign: { $ne: '' } }],
    ['half a signature', { ...right, sign: right.sign.slice(0, 32) }],
    ['a signature with more behind it', { ...right, sign: `${right.sign}0` }],
    ['a signature by an empty secret', by('')],
    ["a signature by another merchant's secret", by(other.secret)],
    ['a weaker kind of signature', by(merchant.secret, 'md5')],
    ['a kind of signature that names no call', by(merchant.secret, 'hmac-sha256')],
    ['no time', signed(merchant, MERCHANT_API.create, newOrder({ timestamp: '' }))],
    ['no nonce', signed(merchant, MERCHANT_API.create, newOrder({ nonce: '' }))],
    [
      'an old time',
      signed(merchant, MERCHANT_API.create, newOrder({ timestamp: String(Date.now() - TOO_OLD_MS) })),
    ],
    [
      'a time to come',
      signed(merchant, MERCHANT_API.create, newOrder({ timestamp: String(Date.now() + TOO_OLD_MS) })),
    ],
    ['a second amount behind the signed one', JSON.stringify(right).replace(/}$/, ',"amount":"99999900"}')],
    ['a prototype', JSON.stringify(fields()).replace('{', `{"__proto__":{"sign":"${right.sign}"},`)],
  ];
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
/** Sends a field twice: the server might check one and use the other. */
const twice = (call: Fields) => `${new URLSearchParams(call).toString()}&amount=99999900`;
